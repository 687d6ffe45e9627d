import { setTimeout as delay } from 'node:timers/promises';
import type { Postmaster } from './postmaster.js';

export interface Supervision {
  /** The server that runs now, or the last one that did. */
  readonly current: Postmaster;
  stop(): Promise<void>;
}

export interface SupervisionOptions {
  readonly start: (signal: AbortSignal) => Promise<Postmaster>;
  readonly onExit: (reason: string) => void;
  readonly log: (message: string) => void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
const STABLE_MS = 30_000;

/** Starts the server and starts it again whenever it ends by itself, with growing pauses, until it is stopped. */
export async function supervise(options: SupervisionOptions): Promise<Supervision> {
  const stopping = new AbortController();
  let current = await options.start(stopping.signal);

  const keepRunning = async () => {
    let pause = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const reason = await current.ended;
      if (isAborted(stopping.signal)) return;
      options.log(`PostgreSQL ended unexpectedly (${reason}); starting it again`);
      options.onExit(reason);
      pause = Date.now() - startedAt > STABLE_MS ? FIRST_PAUSE_MS : pause * 2;
      current = (await startAgain(options, stopping.signal, pause)) ?? current;
    }
    await current.stop();
  };
  const kept = keepRunning();

  return {
    get current() {
      return current;
    },
    stop: async () => {
      stopping.abort();
      await current.stop();
      await kept;
    },
  };
}

async function startAgain(
  options: SupervisionOptions,
  signal: AbortSignal,
  firstPause: number,
): Promise<Postmaster | undefined> {
  for (let pause = firstPause; ; pause *= 2) {
    await sleep(Math.min(pause, LONGEST_PAUSE_MS), signal);
    if (signal.aborted) return undefined;
    try {
      const started = await options.start(signal);
      options.log(`PostgreSQL runs again as process ${started.pid}`);
      return started;
    } catch (error) {
      if (isAborted(signal)) return undefined;
      options.log(error instanceof Error ? error.message : String(error));
    }
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Asked anew after each wait; a plain look at the property would be narrowed away by the compiler. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
