import { chmod, chown, lstat, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { StartupError } from '../../../src/support/errors.js';
import { copyBinaries, prepareBinaries } from '../../../src/postgres/bundled/binaries.js';
import { findPlatformPackage } from '../../../src/postgres/bundled/platform-package.js';
import { isRoot, makeDataFolder } from './helpers.js';

const unchecked = () => Promise.resolve();

it('asks for DATABASE_URL where there is no bundled PostgreSQL', async () => {
  const refused = findPlatformPackage('win32-x64');
  await expect(refused).rejects.toBeInstanceOf(StartupError);
  await expect(refused).rejects.toThrow(/no bundled PostgreSQL for win32-x64.*Set DATABASE_URL/);
});

it('finds the programs of the installed package', async () => {
  const from = await findPlatformPackage();
  expect(from.version.startsWith(`${from.major}.`)).toBe(true);
  const { initdb, postgres } = await prepareBinaries(from, await makeDataFolder(), undefined);
  expect([initdb, postgres].map(dirname)).toEqual([dirname(initdb), dirname(initdb)]);
});

it('copies the programs once, for all to read and none but the owner to write, and replaces a damaged copy', async () => {
  const from = await findPlatformPackage();
  const parent = await makeDataFolder();
  const copy = await copyBinaries(from, parent, unchecked);
  expect((await lstat(copy)).mode & 0o777).toBe(0o755);
  expect((await lstat(join(copy, 'bin/postgres'))).mode & 0o777).toBe(0o755);
  expect((await lstat(join(copy, 'share/postgresql/postgres.bki'))).mode & 0o777).toBe(0o644);

  const made = await lstat(copy);
  expect(await copyBinaries(from, parent, unchecked)).toBe(copy);
  expect((await lstat(copy)).ino).toBe(made.ino);

  await truncate(join(copy, 'bin/initdb'), 10);
  await rm(join(copy, 'share/postgresql/postgres.bki'));
  await copyBinaries(from, parent, unchecked);
  const original = await lstat(join(from.nativeFolder, 'bin/initdb'));
  expect((await lstat(join(copy, 'bin/initdb'))).size).toBe(original.size);
  expect(await readdir(join(copy, 'share/postgresql'))).toContain('postgres.bki');
  expect(await readdir(parent)).toHaveLength(1);
});

it('keeps no new copy that cannot be run', async () => {
  const parent = await makeDataFolder();
  const copy = copyBinaries(await findPlatformPackage(), parent, () => Promise.reject(new Error('noexec')));
  await expect(copy).rejects.toThrow('noexec');
  expect(await readdir(parent)).toEqual([]);
});

it('leaves a shared copy to those who run from it when it cannot be run here', async () => {
  const home = await makeDataFolder();
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const from = await findPlatformPackage();
  const dataDir = await makeDataFolder();
  const shared = await prepareBinaries(from, dataDir, undefined);
  expect(shared.postgres.startsWith(home)).toBe(true);
  const { size } = await lstat(shared.postgres);
  await writeFile(shared.postgres, Buffer.alloc(size));
  const own = await prepareBinaries(from, dataDir, undefined);
  expect(own.postgres.startsWith(dataDir)).toBe(true);
  expect(await readdir(dirname(shared.postgres))).toContain('postgres');
});

it('does not trust a copy that others could have changed', async () => {
  const from = await findPlatformPackage();
  const parent = await makeDataFolder();
  const copy = await copyBinaries(from, parent, unchecked);
  await chmod(copy, 0o777);
  await expect(copyBinaries(from, parent, unchecked)).rejects.toThrow('belongs to someone else');
  await chmod(copy, 0o755);
  if (isRoot) {
    await chown(copy, 1, 1);
    await expect(copyBinaries(from, parent, unchecked)).rejects.toThrow('belongs to someone else');
  }
  await rm(copy, { recursive: true });
  await symlink('/usr', copy);
  await expect(copyBinaries(from, parent, unchecked)).rejects.toThrow('belongs to someone else');
});
