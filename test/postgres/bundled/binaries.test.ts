import { chmod, lstat, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { StartupError } from '../../../src/support/errors.js';
import { prepareBinaries } from '../../../src/postgres/bundled/binaries.js';
import { findPlatformPackage } from '../../../src/postgres/bundled/platform-package.js';
import { makeDataFolder } from './helpers.js';

it('asks for DATABASE_URL where there is no bundled PostgreSQL', async () => {
  const refused = findPlatformPackage('win32-x64');
  await expect(refused).rejects.toBeInstanceOf(StartupError);
  await expect(refused).rejects.toThrow(/no bundled PostgreSQL for win32-x64.*Set DATABASE_URL/);
});

it('copies the programs once, for all to read and none but the owner to write', async () => {
  const from = await findPlatformPackage();
  expect(from.version.startsWith(`${from.major}.`)).toBe(true);
  const parent = await makeDataFolder();
  const { initdb, postgres } = await prepareBinaries(from, undefined, undefined, parent);
  const copy = join(parent, `postgresql-${from.version}-${from.platform}`);
  expect([initdb, postgres].map(dirname)).toEqual([join(copy, 'bin'), join(copy, 'bin')]);
  expect((await lstat(copy)).mode & 0o777).toBe(0o755);
  expect((await lstat(postgres)).mode & 0o777).toBe(0o755);
  expect((await lstat(join(copy, 'share/postgresql/postgres.bki'))).mode & 0o777).toBe(0o644);
  expect(await readdir(parent)).toHaveLength(1);

  const made = await lstat(copy);
  expect((await prepareBinaries(from, undefined, undefined, parent)).postgres).toBe(postgres);
  expect((await lstat(copy)).ino).toBe(made.ino);
});

it('runs the package itself where no copy can be made or run', async () => {
  const from = await findPlatformPackage();
  const own = join(from.nativeFolder, 'bin/postgres');
  const parent = await makeDataFolder();
  const { postgres } = await prepareBinaries(from, undefined, undefined, parent);
  await writeFile(postgres, 'damaged');
  await chmod(postgres, 0o755);
  expect((await prepareBinaries(from, undefined, undefined, parent)).postgres).toBe(own);
  const file = join(parent, 'file');
  await writeFile(file, '');
  expect((await prepareBinaries(from, undefined, undefined, file)).postgres).toBe(own);
});

it('leaves nothing behind of a copy that was called off', async () => {
  const parent = await makeDataFolder();
  const stopping = AbortSignal.abort(new Error('called off'));
  const copy = prepareBinaries(await findPlatformPackage(), undefined, stopping, parent);
  await expect(copy).rejects.toThrow('called off');
  expect(await readdir(parent)).toEqual([]);
});
