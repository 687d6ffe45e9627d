import { parentPort, Worker } from 'node:worker_threads';
import { Overloaded } from './errors.js';
import { ValidationFailed, type ErrorDetail } from './error-details.js';
import { createFairSemaphore } from './fair-semaphore.js';

/** Jobs by name. Inputs and results are copied between threads. */
type Jobs<J> = { readonly [N in keyof J]: (input: never) => unknown };
type Input<J extends Jobs<J>, N extends keyof J> = Parameters<J[N]>[0];

interface Message {
  readonly name: string;
  readonly input: unknown;
}

type ThreadResult =
  { readonly output: unknown } | { readonly errors: readonly ErrorDetail[] } | { readonly failure: string };

export interface JobTenant {
  /** Merchants take turns; each may use all threads but one. */
  readonly merchantId: string;
  /** A job that has not started is dropped on abort. */
  readonly signal?: AbortSignal | undefined;
}

export type Threads<J extends Jobs<J>> = ReturnType<typeof startThreads<J>>;

export interface ThreadsOptions {
  /** The script that a thread runs: it calls `serveJobs`. */
  readonly script: URL;
  readonly workerData: unknown;
  readonly size: number;
  /** A job that takes longer is terminated together with its thread. */
  readonly longestMs?: number;
}

/** Far more than any menu within the limits needs. */
const LONGEST_MS = 20_000;
const MOST_WAITING = 500;

/** Keeps up to `size` threads, started on demand. A thread that dies fails its job and is replaced. */
export function startThreads<J extends Jobs<J>>({
  script,
  workerData,
  size,
  longestMs = LONGEST_MS,
}: ThreadsOptions) {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const permits = createFairSemaphore({ size, perOwner: Math.max(1, size - 1), mostWaiting: MOST_WAITING });
  let isClosed = false;

  const start = () => {
    const thread = new Worker(script, {
      workerData,
      // Objects that outlive a small young generation are copied over and over while a large body is parsed.
      // With 64 MB a menu of 1,000 items takes a tenth less time, and a service with 1,000 stores 60 to 100 MB more.
      resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 1024 },
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

  const perform = (thread: Worker, message: Message, transfer: readonly ArrayBuffer[]) =>
    new Promise<unknown>((resolve, reject) => {
      const settle = () => {
        clearTimeout(late);
        thread.off('message', onResponse).off('error', onDeath).off('exit', onExit);
        thread.unref();
      };
      const onResponse = (answer: ThreadResult) => {
        settle();
        idle.push(thread);
        if ('output' in answer) resolve(answer.output);
        else if ('errors' in answer) reject(new ValidationFailed(answer.errors));
        else reject(new Error(`A job failed: ${answer.failure}`));
      };
      const onDeath = (error: Error) => {
        settle();
        all.delete(thread);
        void thread.terminate();
        reject(error);
      };
      const onExit = () => onDeath(new Error('The thread ended before its job was done'));
      const late = setTimeout(() => onDeath(new Overloaded('This took too long. Try again.')), longestMs);
      thread.ref();
      thread.on('message', onResponse).on('error', onDeath).on('exit', onExit);
      thread.postMessage(message, transfer);
    });

  return {
    /** Runs the job on a free thread. With `handOver`, unshared buffers of the input are transferred, not copied. */
    run: async <N extends keyof J & string>(
      name: N,
      input: Input<J, N>,
      { merchantId, signal }: JobTenant,
      buffers?: 'handOver',
    ): Promise<ReturnType<J[N]>> => {
      const release = await permits.acquire({ owner: merchantId, signal });
      try {
        if (isClosed) throw new Error('The threads are closed');
        const transfer = buffers === 'handOver' ? ownedBuffers(input) : [];
        return (await perform(idle.pop() ?? start(), { name, input }, transfer)) as ReturnType<J[N]>;
      } finally {
        release();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/** Runs in a worker thread and executes the jobs that `run` sends. */
export function serveJobs(jobs: Readonly<Record<string, (input: never) => unknown>>): void {
  const attempt = ({ name, input }: Message): ThreadResult => {
    try {
      return { output: jobs[name]?.(input as never) };
    } catch (error) {
      if (error instanceof ValidationFailed) return { errors: error.errors };
      return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  parentPort?.on('message', (message: Message) => {
    const answer = attempt(message);
    parentPort?.postMessage(answer, 'output' in answer ? ownedBuffers(answer.output) : []);
  });
}

/** The buffers in a message that can be transferred: those that no other view shares. */
function ownedBuffers(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(message, found);
  return [...found];
}

function collect(value: unknown, found: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength)
      found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collect(member, found);
  }
}
