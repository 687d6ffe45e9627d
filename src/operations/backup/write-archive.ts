import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BACKUP_TABLES } from '../../db/backup-tables.js';
import { withSnapshot, type Snapshot } from '../../db/backup.js';
import type { Database } from '../../db/database.js';
import { archiveHeader, toLine } from '../../domain/backup/archive.js';

export interface WriteArchiveOptions {
  readonly version: string;
  /** How long the reader may take over a chunk: a snapshot that is held for ever keeps dead rows from being removed. */
  readonly idleSeconds: number;
}

/** Writes everything that the installation holds at this moment, at the pace of whoever reads it. */
export function writeArchive(
  db: Database,
  knownSchema: number,
  out: Writable,
  options: WriteArchiveOptions,
): Promise<void> {
  const stalled = new AbortController();
  return withSnapshot(db, knownSchema, (snapshot) =>
    pipeline(
      watchReader(archive(snapshot, options.version), options.idleSeconds, () => stalled.abort()),
      out,
      { signal: stalled.signal },
    ),
  );
}

async function* archive(snapshot: Snapshot, version: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  const hashed = (chunk: Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  yield hashed(toLine(archiveHeader(snapshot.schema, version)));
  for (const table of BACKUP_TABLES) {
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
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
