import { lstat, readdir, writeFile } from 'node:fs/promises';
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
  const { initdb, postgres } = await prepareBinaries(
    from,
    await makeDataFolder(),
    undefined,
    undefined,
    parent,
  );
  const copy = join(parent, `postgresql-${from.version}-${from.platform}`);
  expect([initdb, postgres].map(dirname)).toEqual([join(copy, 'bin'), join(copy, 'bin')]);
  expect((await lstat(copy)).mode & 0o777).toBe(0o755);
  expect((await lstat(postgres)).mode & 0o777).toBe(0o755);
  expect((await lstat(join(copy, 'share/postgresql/postgres.bki'))).mode & 0o777).toBe(0o644);
  expect(await readdir(parent)).toHaveLength(1);

  const made = await lstat(copy);
  expect((await prepareBinaries(from, await makeDataFolder(), undefined, undefined, parent)).postgres).toBe(
    postgres,
  );
  expect((await lstat(copy)).ino).toBe(made.ino);
});

it('keeps a copy in the data folder, or runs the package itself, where others cannot be made or run', async () => {
  const from = await findPlatformPackage();
  const [cache, dataDir] = [await makeDataFolder(), await makeDataFolder()];
  const prepare = async (folder = dataDir) =>
    (await prepareBinaries(from, folder, undefined, undefined, cache)).postgres;
  const shared = await prepare();
  expect(shared.startsWith(cache)).toBe(true);
  await writeFile(shared, 'damaged');
  expect((await prepare()).startsWith(dataDir)).toBe(true);
  const file = join(cache, 'file');
  await writeFile(file, '');
  expect(await prepare(file)).toBe(join(from.nativeFolder, 'bin/postgres'));
});

it('leaves nothing behind of a copy that was called off', async () => {
  const parent = await makeDataFolder();
  const stopping = AbortSignal.abort(new Error('called off'));
  const copy = prepareBinaries(await findPlatformPackage(), parent, undefined, stopping, parent);
  await expect(copy).rejects.toThrow('called off');
  expect(await readdir(parent)).toEqual([]);
});
