import { execFile } from 'node:child_process';
import { appendFile, chmod, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { StartupError } from '../../../src/support/errors.js';
import { copyDataFolder, isRoot, makeDataFolder, makeTemplate, query, start } from './helpers.js';

let template: Awaited<ReturnType<typeof makeTemplate>>;

beforeAll(async () => {
  template = await makeTemplate();
});

afterAll(() => template.remove());

const programOf = ({ pid }: { pid: number }) => readlink(`/proc/${pid}/exe`);

describe('the bundled PostgreSQL', () => {
  it('makes a database at the first start and finds its rows again at the second', async () => {
    const dataDir = await makeDataFolder();
    const first = await start(dataDir);
    expect(first.isNew).toBe(true);
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);

    const second = await start(dataDir);
    expect(second.isNew).toBe(false);
    expect(await query(second.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it.runIf(process.platform === 'linux')(
    "runs the host's own programs on the same data, and back",
    async () => {
      const dataDir = await copyDataFolder(template.dataDir);
      const bundled = await start(dataDir);
      await query(bundled.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
      const folder = dirname(dirname(await programOf(bundled)));
      await bundled.stop();
      const own = join(dirname(await makeDataFolder()), 'own');
      await promisify(execFile)('cp', ['-a', folder, own]);
      await chmod(dirname(own), 0o755);

      const second = await start(dataDir, { hostPrograms: join(own, 'bin') });
      expect(await query(second.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      expect(await programOf(second)).toBe(join(own, 'bin/postgres'));
      await second.stop();
      const third = await start(dataDir);
      expect(await query(third.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    },
  );

  it("refuses programs of the host's that are of another major version, or none", async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    const folder = dirname(dataDir);
    await chmod(folder, 0o755);
    const startOwn = () => start(dataDir, { hostPrograms: folder });
    await expect(startOwn()).rejects.toThrow(/^COMANDA_POSTGRES_BIN does not work: .*ENOENT/);
    await writeFile(join(folder, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 15.3"\n', {
      mode: 0o755,
    });
    await expect(startOwn()).rejects.toThrow(
      /^COMANDA_POSTGRES_BIN does not work: .*: postgres \(PostgreSQL\) 15\.3\. Set it to the program folder of a PostgreSQL 18/,
    );
  });

  it('speaks UTF-8, writes durably and can be reached only through its own folder', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    const server = await start(dataDir);
    const names = [
      'server_encoding',
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'listen_addresses',
      'jit',
    ];
    const settings = await query<{ name: string; setting: string }>(
      server.connection,
      `SELECT name, setting FROM pg_settings WHERE name = ANY ('{${names.join(',')}}') ORDER BY name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '',
      jit: 'off',
    });
    expect(
      await query(server.connection, `SELECT upper('ñandú') AS upper, 'a' < 'B' AS by_language`),
    ).toEqual([{ upper: 'ÑANDÚ', by_language: false }]);
    const socketFolder = await stat(server.connection.host);
    expect(socketFolder.mode & 0o777).toBe(0o700);
  });

  it.runIf(process.platform === 'linux')(
    'never runs as root, even in a folder that only root may enter',
    async () => {
      const dataDir = await copyDataFolder(template.dataDir);
      expect((await stat(join(dataDir, '..'))).mode & 0o777).toBe(0o700);
      const server = await start(dataDir);
      const { uid } = await stat(`/proc/${server.pid}`);
      expect(uid).toBe((await stat(join(dataDir, 'postgres'))).uid);
      expect(uid === process.getuid?.()).toBe(!isRoot);
    },
  );

  it('is reached under a path longer than a socket may have', async () => {
    const dataDir = await copyDataFolder(template.dataDir, join('long-'.repeat(30), 'long-'.repeat(30)));
    const server = await start(dataDir);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('comes back by itself when it is killed', async () => {
    const log = vi.fn<(message: string) => void>();
    const onExit = vi.fn<(reason: string) => void>();
    const server = await start(await copyDataFolder(template.dataDir), { log, onExit });
    await query(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const before = server.pid;
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(server.pid).not.toBe(before), { timeout: 20_000, interval: 20 });
    expect(onExit.mock.calls).toEqual([['killed by SIGKILL']]);
    // `onExit` logs the end; a second line would repeat it.
    expect(log.mock.calls.flat().filter((message) => message.includes('ended'))).toEqual([]);
    expect(log.mock.calls.at(-1)).toEqual([`PostgreSQL is running again as process ${server.pid}`]);
    expect(await query(server.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('can be stopped while it is coming back', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    const server = await start(dataDir);
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
    expect((await start(dataDir)).pid).not.toBe(server.pid);
  });
});

describe('a start that cannot go on', () => {
  const refusal = async (dataDir: string): Promise<string> => {
    const error: unknown = await start(dataDir).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartupError);
    return (error as StartupError).message;
  };

  it('names both versions when another major version made the database', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    expect(await refusal(dataDir)).toMatch(/created by PostgreSQL 17.*uses PostgreSQL 18.*comanda backup/);
    expect(await readdir(dataDir)).not.toContain('comanda.lock');
  });

  it('leaves a folder alone that is no database', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    await rm(join(dataDir, 'postgres/PG_VERSION'));
    expect(await refusal(dataDir)).toContain('is not a PostgreSQL data folder');
    expect(await readdir(join(dataDir, 'postgres'))).toContain('base');
  });

  it('shows what PostgreSQL said', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    await appendFile(join(dataDir, 'postgres/postgresql.conf'), '\nno_such_setting = on\n');
    expect(await refusal(dataDir)).toMatch(
      /^The bundled PostgreSQL did not start \(exit code 1\). It said:\n.*unrecognized configuration parameter "no_such_setting"/,
    );
    expect(await readdir(dataDir)).not.toContain('comanda.lock');
  });

  it('says that a file is in the place of the data folder', async () => {
    const dataDir = `${await makeDataFolder()}-file`;
    await writeFile(dataDir, '');
    expect(await refusal(dataDir)).toContain('a file or a broken link is in its place');
    expect(await refusal(join(dataDir, 'below'))).toContain('a file or a broken link is in its place');
  });

  it('names the process that holds the folder', async () => {
    const dataDir = await copyDataFolder(template.dataDir);
    await start(dataDir);
    expect(await refusal(dataDir)).toContain(`in use by process ${process.pid},`);
  });
});
