import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createDatabaseProxy } from '../harness/database-proxy.js';
import {
  folderForTest,
  preparedFolder,
  startForTest,
  temporaryFolder,
  type ServiceProcess,
} from '../harness/process.js';

/** What a start told beside its log, once it has ended with 1. */
async function refusalOf(service: ServiceProcess): Promise<string[]> {
  expect(await service.ended).toBe(1);
  return service
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
}

describe('an address of the database that does not work', () => {
  it.each([
    [
      'stranger',
      'postgres',
      'role "stranger" does not exist. Set a user in it that may connect to the server from this machine.',
    ],
    [
      undefined,
      'nowhere',
      'database "nowhere" does not exist. Create that database, or set another name in it.',
    ],
    [
      undefined,
      'postgres?sslmode=require&uselibpqcompat=true',
      'The server does not support SSL connections. Turn on TLS at the server, or remove sslmode from it.',
    ],
  ])('ends the start with one sentence: %s@…/%s', async (user, database, sentence) => {
    const server = inject('server');
    const proxy = await createDatabaseProxy(server);
    onTestFinished(() => proxy.close());
    const password =
      typeof server.password === 'string' && server.password !== '' ? server.password : 'secret';
    const service = await startForTest({
      DATABASE_URL: `postgres://${user ?? server.user}:${password}@127.0.0.1:${proxy.port}/${database}`,
    });
    expect(await refusalOf(service)).toEqual([
      'Comanda did not start.',
      `DATABASE_URL does not work: ${sentence}`,
    ]);
    expect(service.output()).not.toContain(password);
  });

  it('is tried again while its host is not found, for the host may come up later', async () => {
    const service = await startForTest({ DATABASE_URL: 'postgres://comanda:secret@nowhere.invalid/comanda' });
    // The reason in the parentheses is the resolver's, or that it took too long.
    await expect.poll(service.output).toMatch(/The database is unavailable \(.+\); requests get 503/);
    expect(service.output()).not.toContain('secret');
  });
});

it('ends the start with one sentence where too few files may be open', async () => {
  const start = promisify(execFile)('sh', ['-c', 'ulimit -n 300; exec node dist/main.js'], {
    env: { ...process.env, COMANDA_DATA_DIR: await folderForTest(), PORT: '0' },
  });
  await expect(start).rejects.toMatchObject({
    code: 1,
    stderr:
      'Comanda did not start.\nThe limit on open files is 300, connections included, but the service needs at least 512. ' +
      'Raise it (ulimit -n, or LimitNOFILE in a systemd unit), then start again.\n',
  });
});

it('ends with one sentence when the port was taken after it had been found free', async () => {
  const dataDir = await folderForTest(preparedFolder);
  // The service looks at the port first, then at the lock: one of a holder that it cannot look up holds it there until the
  // test has the port. That it has come to the lock is seen by its own draft of one.
  const lock = join(dataDir, 'comanda.lock');
  await writeFile(lock, 'held by the test');
  const seen = watch(dataDir);
  const service = await startForTest({ COMANDA_DATA_DIR: dataDir });
  await once(seen, 'change');
  seen.close();
  const { port } = new URL(service.url);
  const other = createServer().listen(Number(port), '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  await rm(lock);

  expect(await refusalOf(service)).toEqual([
    'Comanda did not start.',
    `PORT ${port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT to a free port.`,
  ]);
});

it('warns of a setting that does not exist, and starts all the same', async () => {
  const service = await startForTest({
    COMANDA_DATA_DIR: await folderForTest(preparedFolder),
    COMANDA_DEM: 'off',
  });
  await service.untilReady();
  const entries = service.output().trim().split('\n');
  expect(entries.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: 'Unknown setting COMANDA_DEM. Did you mean COMANDA_DEMO?',
    }),
  );
});

describe('something else where the service keeps a file or a folder', () => {
  const noDatabase =
    'exists but is not a PostgreSQL data folder (it has no PG_VERSION). Move it away to start with an empty database, or ' +
    'restore it from a backup.';
  const put = {
    folder: (path: string) => mkdir(path),
    file: (path: string) => writeFile(path, 'x'),
    'link to nowhere': (path: string) => symlink('nowhere', path),
    'link to itself': (path: string) => symlink(basename(path), path),
    pipe: (path: string) => promisify(execFile)('mkfifo', [path]),
  };
  it.each([
    [
      'comanda.lock',
      'folder',
      'is a folder where the service keeps its lock. Move it away, then start again.',
    ],
    [
      'comanda.lock',
      'link to nowhere',
      'is a link where the service keeps its lock. Move it away, then start again.',
    ],
    [
      'comanda.lock',
      'link to itself',
      'is a link where the service keeps its lock. Move it away, then start again.',
    ],
    [
      'comanda.lock',
      'pipe',
      'is a pipe or device where the service keeps its lock. Move it away, then start again.',
    ],
    ['postgres.log', 'pipe', 'is a pipe or device where a file belongs. Move it away, then start again.'],
    ['postgres.log', 'folder', 'is a folder where a file belongs. Move it away, then start again.'],
    ['postgres.log', 'link to nowhere', 'is a broken link. Fix it or move it away, then start again.'],
    ['secret.key', 'pipe', 'is a pipe or device where a file belongs. Move it away, then start again.'],
    ['operator.key', 'pipe', 'is a pipe or device where a file belongs. Move it away, then start again.'],
    ['operator.key', 'folder', 'is a folder where a file belongs. Move it away, then start again.'],
    ['operator.key', 'link to nowhere', 'is a broken link. Fix it or move it away, then start again.'],
    ['operator.key', 'link to itself', 'is a circular link. Fix it or move it away, then start again.'],
    ['operator.key.tmp', 'folder', 'is a folder where a file belongs. Move it away, then start again.'],
    ['postgres', 'file', noDatabase],
    ['postgres', 'link to nowhere', noDatabase],
  ] as const)('ends the start with one sentence: %s is a %s', async (name, kind, sentence) => {
    // The first two are refused before there is a database, all others after it.
    const make = ['comanda.lock', 'postgres'].includes(name) ? temporaryFolder : preparedFolder;
    const dataDir = await realpath(await folderForTest(make));
    const path = join(dataDir, name);
    await put[kind](path);
    const service = await startForTest({ COMANDA_DATA_DIR: dataDir });
    expect(await refusalOf(service)).toEqual(['Comanda did not start.', `${path} ${sentence}`]);
  });

  it('starts where pipes lie beside the lock and where the operator key is to be written', async () => {
    const dataDir = await realpath(await folderForTest());
    await put.pipe(join(dataDir, 'comanda.lock.left'));
    await put.pipe(join(dataDir, 'operator.key.tmp'));
    const service = await startForTest({ COMANDA_DATA_DIR: dataDir });
    await service.untilReady();
  });

  it.each(['file', 'link to nowhere', 'link to itself'] as const)(
    'ends the start with one sentence: the data folder is a %s',
    async (kind) => {
      const dataDir = join(await realpath(await folderForTest()), 'data');
      await put[kind](dataDir);
      const service = await startForTest({ COMANDA_DATA_DIR: dataDir });
      expect(await refusalOf(service)).toEqual([
        'Comanda did not start.',
        expect.stringContaining(
          `The data folder ${dataDir} cannot be created because a file or a broken link is in its place. Choose another`,
        ),
      ]);
    },
  );
});
