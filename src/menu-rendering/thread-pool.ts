import { Worker } from 'node:worker_threads';
import { Busy } from '../domain/errors.js';
import { ValidationFailed, type Fault } from '../domain/faults.js';
import type { Limits } from '../domain/limits.js';
import type { ZonedMoment } from '../domain/menu/hours.js';
import type { MenuSource, Publication } from '../domain/menu/publication.js';
import { createSlots } from '../domain/slots.js';
import type { Fragments } from './fragments.js';
import type { PriceIndex } from './prices/price-index.js';

/** Work for a thread, with what it gives back. */
export interface Jobs {
  prepare: {
    /** `soldOut` are the external_ids of the modifier items that are marked so. */
    readonly input: { readonly body: Uint8Array; readonly soldOut: readonly string[] };
    readonly output: Publication;
  };
  tree: { readonly input: MenuSource; readonly output: Rendered };
  flat: { readonly input: MenuSource; readonly output: Rendered };
  diff: {
    readonly input: { readonly before: Uint8Array | undefined; readonly after: Uint8Array };
    readonly output: Uint8Array;
  };
  prices: { readonly input: Pick<MenuSource, 'content' | 'idsText'>; readonly output: PriceIndex };
  available: { readonly input: MenuSource & ZonedMoment; readonly output: Rendered };
}

/** Whole bytes, or the shared fragments of what is too large to be held as a whole. */
export type Rendered =
  { readonly bytes: Uint8Array } | { readonly fragments: Fragments; readonly length: number };

export type JobName = keyof Jobs;

export interface ThreadSettings {
  readonly limits: Limits;
  /** Trees up to this size are handed over whole. */
  readonly wholeBytes: number;
}

export type ThreadAnswer =
  | { readonly output: Jobs[JobName]['output'] }
  | { readonly faults: readonly Fault[] }
  | { readonly failure: string };

/** For whom a job is done. */
interface JobOwner {
  /** Merchants have their jobs done in turn; each has at most all threads but one. */
  readonly merchantId: string;
  /** When nobody waits for the result any more, a job that has not begun is dropped. */
  readonly gone?: AbortSignal | undefined;
}

/** The store whose menu is wanted, and for whom. */
export interface MenuAsker extends JobOwner {
  readonly storeKey: number;
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
  /**
   * Whether the next thread is started as soon as the first has done a job, so that whoever needs it, while the first is busy
   * for long, need not wait for its start as well; it takes some fifteen megabytes.
   */
  readonly keepsSpare?: boolean;
  /** A job that takes longer is broken off, with its thread. */
  readonly longestMs?: number;
}

/** Far more than any menu within the limits takes. */
const LONGEST_MS = 20_000;
const MOST_WAITING = 500;

/** From sources, as the tests run it, threads take the built file: a thread of Node 20 cannot read TypeScript. */
const SCRIPT = import.meta.url.endsWith('.ts')
  ? '../../dist/menu-rendering/thread-jobs.js'
  : './thread-jobs.js';

/** Keeps up to `size` threads, started when they are first needed; a thread that dies fails its job and is replaced. */
export function startThreads({
  size,
  settings,
  keepsSpare = false,
  longestMs = LONGEST_MS,
}: ThreadsOptions): Threads {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const slots = createSlots({ size, perOwner: Math.max(1, size - 1), mostWaiting: MOST_WAITING });
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

  const perform = <N extends JobName>(
    thread: Worker,
    job: { readonly name: N; readonly input: Jobs[N]['input'] },
    transfer: readonly ArrayBuffer[],
  ) =>
    new Promise<Jobs[N]['output']>((resolve, reject) => {
      const settle = () => {
        clearTimeout(late);
        thread.off('message', onAnswer).off('error', onDeath).off('exit', onExit);
        thread.unref();
      };
      const onAnswer = (answer: ThreadAnswer) => {
        settle();
        idle.push(thread);
        if ('output' in answer) resolve(answer.output);
        else if ('faults' in answer) reject(new ValidationFailed(answer.faults));
        else reject(new Error(`A menu job failed: ${answer.failure}`));
      };
      const onDeath = (error: Error) => {
        settle();
        all.delete(thread);
        void thread.terminate();
        reject(error);
      };
      const onExit = () => onDeath(new Error('The thread ended before its job was done'));
      const late = setTimeout(() => onDeath(new Busy('This took too long; try again')), longestMs);
      thread.ref();
      thread.on('message', onAnswer).on('error', onDeath).on('exit', onExit);
      thread.postMessage(job, transfer);
    });

  return {
    async run(name, input, { merchantId, gone }, buffers) {
      const giveBack = await slots.take({ owner: merchantId, gone });
      try {
        if (isClosed) throw new Error('The threads are closed');
        const transfer = buffers === 'handOver' ? ownedBuffers(input) : [];
        return await perform(idle.pop() ?? start(), { name, input }, transfer);
      } finally {
        giveBack();
        if (keepsSpare && all.size < size && !isClosed) idle.unshift(start());
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/** The buffers within a message that can change threads without a copy: those that no other view shares. */
export function ownedBuffers(message: unknown): ArrayBuffer[] {
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
