import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../../../src/support/errors.js';
import { lockDataFolder, type DataFolderLock } from '../../../src/postgres/bundled/data-folder-lock.js';
import { ownIdentity } from '../../../src/postgres/bundled/processes.js';
import { makeDataFolder } from './helpers.js';

async function emptyFolder(): Promise<{ dataDir: string; path: string }> {
  const dataDir = await makeDataFolder();
  await mkdir(dataDir);
  return { dataDir, path: join(dataDir, 'comanda.lock') };
}

async function take(dataDir: string): Promise<DataFolderLock> {
  const lock = await lockDataFolder(dataDir);
  onTestFinished(() => lock.release());
  return lock;
}

it('is held by one and free again after its release', async () => {
  const { dataDir } = await emptyFolder();
  const lock = await take(dataDir);
  await expect(take(dataDir)).rejects.toThrow(`in use by process ${process.pid},`);
  await expect(take(dataDir)).rejects.toBeInstanceOf(StartupError);
  await lock.release();
  await take(dataDir);
  expect(await readdir(dataDir)).toEqual(['comanda.lock']);
});

it('goes to one of many who ask at the same moment, also when a dead holder left it', async () => {
  const { dataDir, path } = await emptyFolder();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), pid: 2 ** 22 + 1 }));
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => take(dataDir)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('does not mistake another process with the same number for the holder', async () => {
  const { dataDir, path } = await emptyFolder();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), started: '1' }));
  await take(dataDir);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject(await ownIdentity());
});

it.each([
  ['the same as', 0],
  ['behind', -3_600_000],
])('believes a holder elsewhere that renews its lock, with a clock that is %s ours', async (_, skewMs) => {
  const { dataDir, path } = await emptyFolder();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), pid: 7, realm: 'elsewhere' }));
  const renew = () => {
    const now = new Date(Date.now() + skewMs);
    return utimes(path, now, now);
  };
  await renew();
  const beat = setInterval(() => void renew(), 300);
  onTestFinished(() => clearInterval(beat));
  await expect(take(dataDir)).rejects.toThrow('in use by process 7,');
});

it('takes over what was left long ago', async () => {
  const left = ['{"pid":7,"started":"1","realm":"before the restart"}', '', 'null', '{"pid":'];
  // Together: a lock is watched for a while before it is taken over.
  const taken = left.map(async (text) => {
    const { dataDir, path } = await emptyFolder();
    await writeFile(path, text);
    await utimes(path, new Date(0), new Date(0));
    await take(dataDir);
    return { text, ...(JSON.parse(await readFile(path, 'utf8')) as object) };
  });
  expect(await Promise.all(taken)).toMatchObject(left.map((text) => ({ text, pid: process.pid })));
});

it('leaves the lock of another holder alone when it is released late', async () => {
  const { dataDir, path } = await emptyFolder();
  const lock = await take(dataDir);
  await writeFile(path, 'another');
  await lock.release();
  expect(await readFile(path, 'utf8')).toBe('another');
  expect(await readdir(dataDir)).toEqual(['comanda.lock']);
});
