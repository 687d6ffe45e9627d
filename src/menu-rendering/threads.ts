import { Worker } from 'node:worker_threads';
import { ValidationFailed, type Fault } from '../domain/faults.js';
import { ownedBuffers, type JobName, type Jobs, type ThreadSettings } from './jobs.js';

export type ThreadAnswer =
  | { readonly output: Jobs[JobName]['output'] }
  | { readonly faults: readonly Fault[] }
  | { readonly failure: string };

export interface Threads {
  /** Runs the job on a free thread. With `handOver`, buffers of the input that nothing shares are gone afterwards. */
  run<N extends JobName>(name: N, input: Jobs[N]['input'], buffers?: 'handOver'): Promise<Jobs[N]['output']>;
  close(): Promise<void>;
}

interface Task {
  readonly name: JobName;
  readonly input: Jobs[JobName]['input'];
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (output: never) => void;
  readonly reject: (error: Error) => void;
}

/** From sources, as the tests run it, threads take the built file: a thread of Node 20 cannot read TypeScript. */
const SCRIPT = import.meta.url.endsWith('.ts') ? '../../dist/menu-rendering/thread.js' : './thread.js';

/** Keeps up to `size` threads, started when they are first needed; a thread that dies fails its job and is replaced. */
export function startThreads(size: number, settings: ThreadSettings): Threads {
  const idle: Worker[] = [];
  const waiting: Task[] = [];
  const all = new Set<Worker>();
  let isClosed = false;

  const start = () => {
    const thread = new Worker(new URL(SCRIPT, import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
    });
    all.add(thread);
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    thread.unref();
    return thread;
  };

  const next = () => {
    const task = waiting[0];
    if (task === undefined) return;
    const thread = idle.pop() ?? (all.size < size ? start() : undefined);
    if (thread === undefined) return;
    waiting.shift();
    perform(thread, task);
  };

  const perform = (thread: Worker, task: Task) => {
    const settle = () => {
      thread.off('message', onAnswer).off('error', onDeath).off('exit', onExit);
      thread.unref();
    };
    const onAnswer = (answer: ThreadAnswer) => {
      settle();
      idle.push(thread);
      deliver(answer, task);
      next();
    };
    const onDeath = (error: Error) => {
      settle();
      all.delete(thread);
      task.reject(error);
      next();
    };
    const onExit = () => onDeath(new Error('The thread ended before its job was done'));
    thread.ref();
    thread.on('message', onAnswer).on('error', onDeath).on('exit', onExit);
    thread.postMessage({ name: task.name, input: task.input }, task.transfer);
  };

  return {
    run: (name, input, buffers) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('The threads are closed');
        const transfer = buffers === 'handOver' ? ownedBuffers(input) : [];
        waiting.push({ name, input, transfer, resolve, reject });
        next();
      }),
    async close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(new Error('The threads are closed'));
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

function deliver(answer: ThreadAnswer, { resolve, reject }: Task): void {
  if ('output' in answer) resolve(answer.output as never);
  else if ('faults' in answer) reject(new ValidationFailed(answer.faults));
  else reject(new Error(`A menu job failed: ${answer.failure}`));
}
