import type { Logger } from 'pino';
import { DiskFull } from '../domain/errors.js';

export interface DiskWatch {
  /** Looks at an error that a request ended with. */
  readonly note: (error: unknown) => void;
  readonly isFull: () => boolean;
}

/** A write that found no room says so for this long; the next one that fails says it again. */
const BELIEVED_MS = 15_000;

/** Remembers that the database's disk is full, and logs it once, not once for every request that meets it. */
export function watchDisk(log: Logger): DiskWatch {
  let fullUntil = -Infinity;
  const isFull = () => performance.now() < fullUntil;
  return {
    note: (error) => {
      if (!(error instanceof DiskFull)) return;
      if (!isFull())
        log.error('The disk of the database is full: requests that write are answered 503. Free some space.');
      fullUntil = performance.now() + BELIEVED_MS;
    },
    isFull,
  };
}
