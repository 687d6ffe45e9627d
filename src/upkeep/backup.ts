import { BOUNDS, CONNECTIONS } from '../support/bounds.js';
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withSnapshot, type Snapshot } from './backup.sql.js';
import type { Database } from '../postgres/database.js';
import { knownSchema } from '../postgres/schema-migrations.js';
import { archiveHeader, toLine, type ArchiveKind, type RestoreReport } from './archive.js';
import type { Actor } from '../support/actor.js';
import { TooManyRequests } from '../support/errors.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import { restoreArchive } from './restore.js';

interface BackupOptions {
  readonly version: string;
  /** Longest wait for the reader per chunk: an open snapshot keeps vacuum from removing dead rows. */
  readonly idleSeconds: number;
}

/** Backup and restore of the whole installation, or of one merchant, as one archive. */
export interface Backups {
  /** Of one merchant where one is given. */
  write(out: Writable, merchantId?: string): Promise<void>;
  restore(source: AsyncIterable<Uint8Array>, kind: ArchiveKind, by: Actor): Promise<RestoreReport>;
}

const COME_BACK_SECONDS = 10;

export function createBackups(db: Database, options: BackupOptions): Backups {
  // A separate pool, so that requests never wait for a backup.
  const backupDb = db.sidePool({ poolSize: CONNECTIONS.backups, statementTimeoutMs: 0, workload: 'bulk' });
  // Read once, because a newer version may be installed into the same folder.
  const known = knownSchema();
  const slots = createFairSemaphore(BOUNDS.backups);

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    const release = slots.tryAcquire({});
    if (release === undefined) throw new TooManyRequests(COME_BACK_SECONDS);
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    write: (out, merchantId) => withSlot(() => writeArchive(backupDb, known, out, options, merchantId)),
    restore: (source, kind, by) => withSlot(() => restoreArchive(backupDb, known, source, kind, by)),
  };
}

/** Writes a snapshot of the installation at the pace of the reader. */
function writeArchive(
  db: Database,
  knownSchema: number,
  out: Writable,
  options: BackupOptions,
  merchantId: string | undefined,
): Promise<void> {
  const stalled = new AbortController();
  const kind = merchantId === undefined ? 'installation' : 'merchant';
  return withSnapshot(db, knownSchema, merchantId, (snapshot) =>
    pipeline(
      watchReader(archive(snapshot, options.version, kind), options.idleSeconds, () => stalled.abort()),
      out,
      { signal: stalled.signal },
    ),
  );
}

async function* archive(snapshot: Snapshot, version: string, kind: ArchiveKind): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  const hashed = (chunk: Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  yield hashed(toLine(archiveHeader(snapshot.schema, version, kind)));
  for (const table of snapshot.tables) {
    yield hashed(toLine({ table: table.name, columns: await snapshot.columns(table) }));
    let count = 0;
    for await (const chunk of snapshot.rows(table) as AsyncIterable<Buffer>) {
      count += countLines(chunk);
      yield hashed(chunk);
    }
    rows[table.name] = count;
  }
  yield toLine({ end: { rows, sha256: hash.digest('hex') } });
}

async function* watchReader(
  chunks: AsyncIterable<Buffer>,
  seconds: number,
  giveUp: () => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const timer = setTimeout(giveUp, seconds * 1000);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}

const NEWLINE = 0x0a;

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let i = chunk.indexOf(NEWLINE); i !== -1; i = chunk.indexOf(NEWLINE, i + 1)) count += 1;
  return count;
}
