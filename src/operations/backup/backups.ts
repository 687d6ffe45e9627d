import type { Writable } from 'node:stream';
import type { Database } from '../../db/database.js';
import { knownSchema } from '../../db/schema-ledger.js';
import type { RestoreReport } from '../../domain/backup/shapes.js';
import { TooManyRequests } from '../../domain/errors.js';
import { createSlots } from '../../domain/slots.js';
import { restoreArchive } from './restore-archive.js';
import { writeArchive, type WriteArchiveOptions } from './write-archive.js';

/** The whole installation as one archive, out and in. */
export interface Backups {
  write(out: Writable): Promise<void>;
  restore(source: AsyncIterable<Uint8Array>): Promise<RestoreReport>;
}

export const BACKUPS_AT_ONCE = 2;
const COME_BACK_SECONDS = 10;

export function createBackups(db: Database, options: WriteArchiveOptions): Backups {
  // Connections of their own: requests never wait for a backup, however long it runs.
  const backupDb = db.sidePool({ poolSize: BACKUPS_AT_ONCE, statementTimeoutMs: 0, workload: 'bulk' });
  // Settled once: a newer version may be laid into the same folder.
  const known = knownSchema();
  const slots = createSlots({ size: BACKUPS_AT_ONCE });

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    const giveBack = slots.takeNow({});
    if (giveBack === undefined) throw new TooManyRequests(COME_BACK_SECONDS);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  return {
    write: (out) => withSlot(() => writeArchive(backupDb, known, out, options)),
    restore: (source) => withSlot(() => restoreArchive(backupDb, known, source)),
  };
}
