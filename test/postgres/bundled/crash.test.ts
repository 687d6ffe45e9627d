import { chown, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EmbeddedPostgres } from '../../../src/postgres/bundled/embedded-postgres.js';
import {
  copyDataFolder,
  findServerProcesses,
  isRoot,
  makeDataFolder,
  makeTemplate,
  query,
  start,
} from './helpers.js';
import { buildHolder, runHolder, type Holder, type HolderOutcome, type HolderProgram } from './holder.js';

// Many starts one after the other, on a machine that may be busy with the rest of the suite.
vi.setConfig({ testTimeout: 240_000 });

let program: HolderProgram;
let template: Awaited<ReturnType<typeof makeTemplate>>;

beforeAll(async () => {
  [program, template] = await Promise.all([buildHolder('linked'), makeTemplate()]);
});

afterAll(() => Promise.all([program.remove(), template.remove()]));

function hold(dataDir: string): Holder {
  const holder = runHolder(program, dataDir);
  onTestFinished(() => void holder.child.kill('SIGKILL'));
  return holder;
}

async function kill(holder: Holder): Promise<void> {
  holder.child.kill('SIGKILL');
  await holder.exited;
}

async function started(holder: Holder): Promise<Pick<EmbeddedPostgres, 'connection' | 'isNew' | 'pid'>> {
  const outcome = await holder.outcome;
  if (!outcome.started) throw new Error(outcome.refused);
  return outcome;
}

/** Inserts one row after the other until the connection breaks. */
function writeUntilCut(connection: EmbeddedPostgres['connection']): {
  acknowledged: () => number;
  cut: Promise<void>;
} {
  let acknowledged = 0;
  const write = async () => {
    const client = new pg.Client(connection);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE written (number integer PRIMARY KEY)');
    for (;;) {
      try {
        await client.query('INSERT INTO written VALUES ($1)', [acknowledged]);
      } catch {
        return;
      }
      acknowledged += 1;
    }
  };
  return { acknowledged: () => acknowledged, cut: write() };
}

/** A folder on which one first start after the other was killed, each so long after initdb had begun. */
async function killInFirstStarts(delays: readonly number[]): Promise<string> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const dataDir = await makeDataFolder();
    let killed = 0;
    while (killed < delays.length && (await killInFirstStart(dataDir, delays[killed] ?? 0))) killed += 1;
    if (killed === delays.length) return dataDir;
  }
  throw new Error('Every first start was over before it could be killed');
}

/** Whether the start was killed in the middle; it may have been quicker than the test. */
async function killInFirstStart(dataDir: string, afterMs: number): Promise<boolean> {
  const draft = join(dataDir, 'postgres.tmp');
  // While the draft of an earlier start is open here, a new one cannot get its inode.
  const earlier = await open(draft).catch(() => undefined);
  const before = (await earlier?.stat())?.ino;
  try {
    const holder = hold(dataDir);
    const seen: { outcome?: HolderOutcome } = {};
    void holder.outcome.then((outcome) => (seen.outcome = outcome));
    void holder.exited.then((code) => (seen.outcome ??= { started: false, refused: `exit code ${code}` }));
    while (seen.outcome === undefined && !(await hasBegun(draft, before))) await delay(5);
    if (seen.outcome?.started === false) throw new Error(seen.outcome.refused);
    await delay(afterMs);
    await kill(holder);
  } finally {
    await earlier?.close();
  }
  return !(await readdir(dataDir)).includes('postgres');
}

async function hasBegun(draft: string, before: number | undefined): Promise<boolean> {
  try {
    return (await stat(draft)).ino !== before && (await readdir(draft)).length > 0;
  } catch {
    return false;
  }
}

describe('after a kill -9', () => {
  it('of the service, of the server, and of both, the next start has every row', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    const victims = {
      service: (holder: Holder) => kill(holder),
      server: async (holder: Holder) => {
        process.kill((await started(holder)).pid, 'SIGKILL');
      },
      both: async (holder: Holder) => {
        const { pid } = await started(holder);
        await kill(holder);
        process.kill(pid, 'SIGKILL');
      },
    };
    for (const [victim, strike] of Object.entries(victims)) {
      const holder = hold(dataDir);
      const { connection } = await started(holder);
      await query(connection, 'DROP TABLE IF EXISTS written');
      const writing = writeUntilCut(connection);
      await expect.poll(writing.acknowledged, { interval: 5 }).toBeGreaterThanOrEqual(20);
      await strike(holder);
      if (victim === 'server') await kill(holder);

      const next = await start(dataDir);
      await writing.cut;
      const acknowledged = writing.acknowledged();
      const [row] = await query<{ count: number }>(
        next.connection,
        'SELECT count(*)::integer AS count FROM written',
      );
      // The last one may have been written without its answer arriving.
      expect([acknowledged, acknowledged + 1], victim).toContain(row?.count);
      await next.stop();
      expect(await findServerProcesses(join(dataDir, 'postgres'))).toEqual([]);
    }
  });

  it('in the middle of the first start, the next one starts afresh', async () => {
    const dataDir = await killInFirstStarts([0, 60, 150]);
    const server = await start(dataDir);
    expect(server.isNew).toBe(true);
    const found = await readdir(dataDir);
    expect(found).toEqual(expect.arrayContaining(['comanda.lock', 'postgres', 'postgres.log']));
    expect(found).not.toContain('postgres.tmp');
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

it('refuses a second service at once, names the first, and leaves its server alone', async () => {
  const dataDir = await copyDataFolder(template.dataDir);
  const first = hold(dataDir);
  const { connection, pid } = await started(first);
  const second = hold(dataDir);
  expect(await second.exited).toBe(1);
  const outcome = await second.outcome;
  expect(outcome).toMatchObject({
    refused: expect.stringContaining(`in use by process ${first.pid},`) as string,
  });
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

  first.child.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it.runIf(process.platform === 'linux')('keeps the server out of reach of the terminal', async () => {
  const holder = hold(await copyDataFolder(template.dataDir));
  const { pid } = await started(holder);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  expect([group, session]).toEqual([String(pid), String(pid)]);
});

it.runIf(isRoot)(
  'runs as an ordinary user from a package that is read-only and lacks its links',
  async () => {
    const user = { uid: 65_534, gid: 65_534 };
    const packaged = await buildHolder('read-only copy');
    onTestFinished(() => packaged.remove());
    const dataDir = await makeDataFolder();
    await chown(dirname(dataDir), user.uid, user.gid);
    await mkdir(dataDir);
    await chown(dataDir, user.uid, user.gid);

    const holder = runHolder(packaged, dataDir, user);
    onTestFinished(() => void holder.child.kill('SIGKILL'));
    const { connection, pid } = await started(holder);
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await stat(`/proc/${pid}`)).uid).toBe(user.uid);
    holder.child.kill('SIGTERM');
    expect(await holder.exited).toBe(0);
  },
);
