import { chown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EmbeddedPostgres } from '../../src/embedded/embedded-postgres.js';
import { findServerProcesses } from '../../src/embedded/server-processes.js';
import { copyDataFolder, isRoot, makeDataFolder, makeTemplate, query, start } from './helpers.js';
import { buildHolder, runHolder, type Holder, type HolderProgram } from './holder.js';

// Many starts one after the other, on a machine that may be busy with the rest of the suite.
vi.setConfig({ testTimeout: 90_000 });

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
      while (writing.acknowledged() < 20) await delay(5);
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
    const dataDir = await makeDataFolder();
    for (const extra of [0, 60, 150]) {
      const holder = hold(dataDir);
      while ((await readdir(join(dataDir, 'postgres.tmp')).catch(() => [])).length === 0) await delay(5);
      await delay(extra);
      await kill(holder);
      expect(await readdir(dataDir)).not.toContain('postgres');
    }
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
