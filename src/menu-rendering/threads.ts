import { Worker } from 'node:worker_threads';
import { Busy, NobodyWaits } from '../domain/errors.js';
import { createFairQueue } from '../domain/fair-queue.js';
import { ValidationFailed, type Fault } from '../domain/faults.js';
import { ownedBuffers, type JobName, type Jobs, type ThreadSettings } from './jobs.js';

export type ThreadAnswer =
  | { readonly output: Jobs[JobName]['output'] }
  | { readonly faults: readonly Fault[] }
  | { readonly failure: string };

/** For whom a job is done. */
export interface JobOwner {
  /** Owners have their jobs done in turn; each has at most all threads but one. */
  readonly owner: string;
  /** When nobody waits for the result any more, a job that has not begun is dropped. */
  readonly gone?: AbortSignal | undefined;
}

export interface Threads {
  /** Runs the job on a free thread. With `handOver`, buffers of the input that nothing shares are gone afterwards. */
  readonly run: <N extends JobName>(
    name: N,
    input: Jobs[N]['input'],
    owner: JobOwner,
    buffers?: 'handOver',
  ) => Promise<Jobs[N]['output']>;
  close(): Promise<void>;
}

export interface ThreadsOptions {
  readonly size: number;
  readonly settings: ThreadSettings;
  /** A job that takes longer is broken off, with its thread. */
  readonly longestMs?: number;
}

interface Task {
  readonly name: JobName;
  readonly input: Jobs[JobName]['input'];
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (output: never) => void;
  readonly reject: (error: Error) => void;
}

/** Far more than any menu within the limits takes. */
const LONGEST_MS = 20_000;
const MOST_WAITING = 500;

/** From sources, as the tests run it, threads take the built file: a thread of Node 20 cannot read TypeScript. */
const SCRIPT = import.meta.url.endsWith('.ts') ? '../../dist/menu-rendering/thread.js' : './thread.js';

/** Keeps up to `size` threads, started when they are first needed; a thread that dies fails its job and is replaced. */
export function startThreads({ size, settings, longestMs = LONGEST_MS }: ThreadsOptions): Threads {
  const idle: Worker[] = [];
  const waiting = createFairQueue<Task>();
  const all = new Set<Worker>();
  const busyFor = new Map<string, number>();
  const mostPerOwner = Math.max(1, size - 1);
  let isClosed = false;

  const start = () => {
    const thread = new Worker(new URL(SCRIPT, import.meta.url), {
      workerData: settings,
      // Objects that outlive a small young generation are copied over and over while a large body is parsed.
      resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 1024 },
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

  const countBusy = (owner: string, change: 1 | -1) => {
    const count = (busyFor.get(owner) ?? 0) + change;
    if (count === 0) busyFor.delete(owner);
    else busyFor.set(owner, count);
  };

  const next = () => {
    if (idle.length === 0 && all.size >= size) return;
    const first = waiting.shift((owner) => (busyFor.get(owner) ?? 0) < mostPerOwner);
    if (first !== undefined) perform(idle.pop() ?? start(), first.owner, first.item);
  };

  const perform = (thread: Worker, owner: string, task: Task) => {
    const settle = () => {
      clearTimeout(late);
      thread.off('message', onAnswer).off('error', onDeath).off('exit', onExit);
      thread.unref();
      countBusy(owner, -1);
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
      void thread.terminate();
      task.reject(error);
      next();
    };
    const onExit = () => onDeath(new Error('The thread ended before its job was done'));
    const late = setTimeout(() => onDeath(new Busy('This took too long; try again')), longestMs);
    countBusy(owner, 1);
    thread.ref();
    thread.on('message', onAnswer).on('error', onDeath).on('exit', onExit);
    thread.postMessage({ name: task.name, input: task.input }, task.transfer);
  };

  return {
    run: (name, input, { owner, gone }, buffers) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('The threads are closed');
        if (gone?.aborted === true) throw new NobodyWaits();
        if (waiting.waiting(owner) >= MOST_WAITING) throw new Busy('Too many menus are being worked on');
        const transfer = buffers === 'handOver' ? ownedBuffers(input) : [];
        const task = { name, input, transfer, resolve, reject };
        waiting.push(owner, task);
        gone?.addEventListener('abort', () => {
          if (waiting.remove(owner, task)) reject(new NobodyWaits());
        });
        next();
      }),
    async close() {
      isClosed = true;
      for (const task of waiting.drain()) task.reject(new Error('The threads are closed'));
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

function deliver(answer: ThreadAnswer, { resolve, reject }: Task): void {
  if ('output' in answer) resolve(answer.output as never);
  else if ('faults' in answer) reject(new ValidationFailed(answer.faults));
  else reject(new Error(`A menu job failed: ${answer.failure}`));
}
