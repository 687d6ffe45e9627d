import { createHash } from 'node:crypto';
import { CommandFailed, EXIT } from './exit-codes.js';

/** Adds an archive up as it arrives, to be held against what its closing line says. */
export interface ArchiveSum {
  add(chunk: Uint8Array): void;
  /** Fails when the archive was cut off or changed on its way. */
  compare(lastLine: string): void;
}

const NEWLINE = 0x0a;

export function createArchiveSum(): ArchiveSum {
  const hash = createHash('sha256');
  // The last line so far, perhaps not whole. It goes into the sum only when another one follows.
  let last: Uint8Array[] = [];
  return {
    add(chunk) {
      if (chunk.length === 0) return;
      const start = chunk.subarray(0, -1).lastIndexOf(NEWLINE) + 1;
      if (start > 0 || last.at(-1)?.at(-1) === NEWLINE) {
        for (const held of last) hash.update(held);
        hash.update(chunk.subarray(0, start));
        last = [];
      }
      last.push(chunk.subarray(start));
    },
    compare(lastLine) {
      if (readSum(lastLine) !== hash.digest('hex'))
        throw new CommandFailed(EXIT.failed, 'The archive was cut off or changed on its way. Try again.');
    },
  };
}

function readSum(lastLine: string): string | undefined {
  return /^\{"end":.*"sha256":"([0-9a-f]{64})"\}\}$/.exec(lastLine)?.[1];
}
