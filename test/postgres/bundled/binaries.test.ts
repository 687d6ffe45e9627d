import { chmod, cp, lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { StartupError } from '../../../src/support/errors.js';
import { copyOnce, prepareBinaries } from '../../../src/postgres/bundled/binaries.js';
import { findPlatformPackage } from '../../../src/postgres/bundled/platform-package.js';
import { makeDataFolder } from './helpers.js';

it('asks for DATABASE_URL where there is no bundled PostgreSQL', async () => {
  const refused = findPlatformPackage('win32-x64');
  await expect(refused).rejects.toBeInstanceOf(StartupError);
  await expect(refused).rejects.toThrow(/no bundled PostgreSQL for win32-x64.*Set DATABASE_URL/);
});

it('runs the programs of the package, and needs no copy of them', async () => {
  const from = await findPlatformPackage();
  expect(from.version.startsWith(`${from.major}.`)).toBe(true);
  const dataDir = await makeDataFolder();
  const bin = join(from.nativeFolder, 'bin');
  expect(await prepareBinaries(from, dataDir, undefined)).toEqual({
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
  });
  await expect(lstat(dataDir)).rejects.toThrow('ENOENT');
});

it('copies the programs once where those of the package cannot be run, for all to read and none but the owner to write', async () => {
  const installed = await findPlatformPackage();
  const [nativeFolder, dataDir] = [await makeDataFolder(), await makeDataFolder()];
  await cp(installed.nativeFolder, nativeFolder, { recursive: true, verbatimSymlinks: true });
  const from = { ...installed, nativeFolder };
  await chmod(join(nativeFolder, 'bin/postgres'), 0o600);
  const copying = await copyOnce({ ...from, nativeFolder: installed.nativeFolder }, dataDir);
  const { initdb, postgres } = await prepareBinaries(from, dataDir, undefined);
  const copy = join(dataDir, `postgresql-${from.version}-${from.platform}`);
  expect(copying).toBe(copy);
  expect([initdb, postgres].map(dirname)).toEqual([join(copy, 'bin'), join(copy, 'bin')]);
  expect((await lstat(copy)).mode & 0o777).toBe(0o755);
  expect((await lstat(postgres)).mode & 0o777).toBe(0o755);
  expect((await lstat(join(copy, 'share/postgresql/postgres.bki'))).mode & 0o777).toBe(0o644);
  expect(await readdir(dataDir)).toHaveLength(1);

  const made = await lstat(copy);
  expect((await prepareBinaries(from, dataDir, undefined)).postgres).toBe(postgres);
  expect((await lstat(copy)).ino).toBe(made.ino);
});

it('leaves nothing behind of a copy that was called off', async () => {
  const parent = await makeDataFolder();
  const stopping = AbortSignal.abort(new Error('called off'));
  await expect(copyOnce(await findPlatformPackage(), parent, stopping)).rejects.toThrow('called off');
  expect(await readdir(parent)).toEqual([]);
});
