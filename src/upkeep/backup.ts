import { BOUNDS, CONNECTIONS } from '../support/bounds.js';
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readPosition, withSnapshot, type Snapshot } from './backup.sql.js';
import type { Database } from '../postgres/database.js';
import { knownSchema } from '../postgres/schema-migrations.js';
import {
  archiveHeader,
  toLine,
  type ArchiveKind,
  type ChangesReport,
  type RestoreReport,
} from './archive.js';
import type { Actor } from '../support/actor.js';
import { TooManyRequests } from '../support/errors.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import { version } from '../support/version.js';
import { changeArriving, removeArriving } from './changes.sql.js';
import { restoreArchive } from './restore.js';
import { analyze, fillInstallation } from './restore.sql.js';

export type Backups = ReturnType<typeof createBackups>;

/** What was written since a position, and these tables as a whole. */
interface ChangesWanted {
  readonly since: string;
  readonly whole: readonly string[];
}

const COME_BACK_SECONDS = 10;

/**
 * Backup and restore of the whole installation, or of one merchant, as one archive. A reader that takes nothing for
 * `idleSeconds` is given up: an open snapshot keeps vacuum from removing dead rows.
 */
export function createBackups(db: Database, idleSeconds: number) {
  // A separate pool, so that requests never wait for a backup.
  const backupDb = db.sidePool({ poolSize: CONNECTIONS.backups, statementTimeoutMs: 0, workload: 'bulk' });
  // Read once, because a newer version may be installed into the same folder.
  const known = knownSchema();
  const permits = createFairSemaphore(BOUNDS.backups);

  async function withPermit<T>(work: () => Promise<T>): Promise<T> {
    const release = permits.tryAcquire({});
    if (release === undefined) throw new TooManyRequests(COME_BACK_SECONDS);
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    /** At the pace of the reader; of one merchant where one is given, or only what has changed of it. */
    write: (out: Writable, merchantId?: string, changes?: ChangesWanted) =>
      withPermit(() =>
        withSnapshot(backupDb, known, merchantId, (snapshot) => {
          const whole = merchantId === undefined ? 'installation' : 'merchant';
          const kind = changes === undefined ? whole : 'changes';
          const stalled = new AbortController();
          const chunks = archive(snapshot, kind, changes);
          const watched = watchReader(chunks, idleSeconds, () => stalled.abort());
          return pipeline(watched, out, { signal: stalled.signal });
        }),
      ),
    /** With a position, a merchant is held as one that is arriving. */
    restore: (
      source: AsyncIterable<Uint8Array>,
      kind: 'installation' | 'merchant',
      by: Actor,
      position?: string,
    ): Promise<RestoreReport> =>
      withPermit(async () => {
        const open = fillInstallation(known, { kind, by, position });
        const report = await restoreArchive(backupDb, source, kind, open);
        // Not worth a failed restore: the server does the same by itself, later.
        await backupDb.withClient(analyze).catch(() => undefined);
        return report;
      }),
    /** Brings a merchant that is arriving up to date. */
    applyChanges: (source: AsyncIterable<Uint8Array>, merchantId: string): Promise<ChangesReport> =>
      withPermit(() => restoreArchive(backupDb, source, 'changes', changeArriving(known, merchantId))),
    removeArriving: (merchantId: string, by: Actor) =>
      withPermit(() => removeArriving(backupDb, merchantId, by)),
    readPosition: () => db.withClient(readPosition),
  };
}

async function* archive(
  snapshot: Snapshot,
  kind: ArchiveKind,
  changes: ChangesWanted | undefined,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  const digests: Record<string, string> = {};
  const hashed = (chunk: Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  yield hashed(toLine(archiveHeader(snapshot.schema, version, kind)));
  for (const table of snapshot.tables) {
    const { name } = table;
    const columns = await snapshot.columns(table);
    const isPart = changes !== undefined && table.isLarge === true && !changes.whole.includes(name);
    yield hashed(toLine({ table: name, columns, ...(isPart ? { changed: true } : {}) }));
    let count = 0;
    const since = isPart ? changes.since : undefined;
    for await (const chunk of snapshot.rows(table, columns, since) as AsyncIterable<Buffer>) {
      count += countLines(chunk);
      yield hashed(chunk);
    }
    rows[name] = count;
    if (changes !== undefined) digests[name] = await snapshot.digest(table, columns);
  }
  const ofChanges = changes === undefined ? {} : { digests, position: snapshot.position };
  yield toLine({ end: { rows, sha256: hash.digest('hex'), ...ofChanges } });
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
