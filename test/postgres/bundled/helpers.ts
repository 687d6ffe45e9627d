import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../../src/postgres/bundled/embedded-postgres.js';
import { clusterName } from '../../../src/postgres/bundled/processes.js';

export const isRoot = process.getuid?.() === 0;

/** A folder only its owner may enter, gone after the test together with whatever server still runs in it. */
export async function makeDataFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'comanda-test-'));
  const dataDir = join(parent, 'data');
  onTestFinished(async () => {
    for (const name of ['postgres', 'postgres.tmp'])
      for (const pid of await findServerProcesses(join(dataDir, name))) process.kill(pid, 'SIGKILL');
    await rm(parent, { recursive: true, force: true, maxRetries: 3 });
  });
  return dataDir;
}

/** PostgreSQL's processes on this data folder; its name is in their titles. */
export async function findServerProcesses(folder: string): Promise<number[]> {
  const name = await clusterName(folder);
  if (name === undefined || process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const titles = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => new RegExp(`(postgres|initdb).*\\b${name}(?!\\d)`, 's').test(titles[i] ?? ''));
}

/** A data folder with a new database in it, for the tests of a file to copy, which is quicker than another initdb. */
export async function makeTemplate(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'comanda-test-'));
  const dataDir = join(parent, 'data');
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  await server.stop();
  return { dataDir, remove: () => rm(parent, { recursive: true, force: true }) };
}

export async function copyDataFolder(made: string, below = ''): Promise<string> {
  const dataDir = join(await makeDataFolder(), below);
  await mkdir(dirname(dataDir), { recursive: true });
  await promisify(execFile)('cp', ['-a', made, dataDir]);
  return dataDir;
}

export async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, ...options });
  onTestFinished(() => server.stop());
  return server;
}

export async function query<Row>(connection: EmbeddedPostgres['connection'], text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}
