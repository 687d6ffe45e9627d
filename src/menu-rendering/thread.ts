import { parentPort, workerData } from 'node:worker_threads';
import { ValidationFailed } from '../domain/faults.js';
import { ownedBuffers, type JobName, type Jobs, type ThreadSettings } from './jobs.js';
import { compileJobs } from './run-job.js';
import type { ThreadAnswer } from './threads.js';

const run = compileJobs(workerData as ThreadSettings);

parentPort?.on('message', ({ name, input }: { name: JobName; input: Jobs[JobName]['input'] }) => {
  const answer = attempt(name, input);
  parentPort?.postMessage(answer, 'output' in answer ? ownedBuffers(answer.output) : []);
});

function attempt(name: JobName, input: Jobs[JobName]['input']): ThreadAnswer {
  try {
    return { output: run(name, input) };
  } catch (error) {
    if (error instanceof ValidationFailed) return { faults: error.faults };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
