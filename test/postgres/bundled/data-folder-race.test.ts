import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { lockDataFolder } from '../../../src/postgres/bundled/data-folder-lock.js';
import { ownIdentity } from '../../../src/postgres/bundled/processes.js';
import { makeDataFolder } from './helpers.js';

type Operation = (...paths: unknown[]) => Promise<unknown>;
type Pause = (operation: string, paths: readonly unknown[]) => Promise<void>;
/** Lets a test hold up one contender before a step of its own. */
const pauses = new AsyncLocalStorage<Pause>();

vi.mock('node:fs/promises', async (importOriginal) => {
  const files = await importOriginal<Record<string, Operation>>();
  const pausing = ['link', 'rename', 'rm'].map((name) => {
    const operation = files[name] as Operation;
    const paused: Operation = async (...paths) => {
      await pauses.getStore()?.(name, paths);
      return operation(...paths);
    };
    return [name, paused] as const;
  });
  return { ...files, ...Object.fromEntries(pausing) };
});

async function folderLeftByADeadHolder(): Promise<string> {
  const dataDir = await makeDataFolder();
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'comanda.lock'), JSON.stringify({ ...(await ownIdentity()), started: '1' }));
  return dataDir;
}

/** Time enough to take the lock, for those whom the slow one lets take it. */
const WHILE_MS = 500;

it('is not taken from its new holder by one that was slow to take over the dead one', async () => {
  const dataDir = await folderLeftByADeadHolder();
  const path = join(dataDir, 'comanda.lock');
  const quick: Promise<unknown>[] = [];
  const letAnotherTry = async () => {
    const attempt = lockDataFolder(dataDir);
    quick.push(attempt);
    await Promise.race([attempt.catch(() => undefined), delay(WHILE_MS)]);
  };
  let isTakingOver = false;
  const slow = pauses.run(
    async (operation, [from, to]) => {
      isTakingOver ||= operation !== 'link' && from === path;
      if (isTakingOver && [from, to].includes(path)) await pauses.exit(letAnotherTry);
    },
    () => lockDataFolder(dataDir),
  );
  await Promise.allSettled([slow]);
  const attempts = await Promise.allSettled([slow, ...quick]);
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(quick.length).toBeGreaterThan(1);
});

const LOCK = new URL('../../../dist/postgres/bundled/data-folder-lock.js', import.meta.url).href;
/** Takes the folder, killed just before the file operation with the given number. */
const KILLED = `
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
let left = Number(process.argv[2]);
for (const name of ['link', 'readFile', 'rm', 'stat', 'writeFile']) {
  const operation = files[name];
  files[name] = (path, ...more) => {
    if (String(path).includes('comanda.lock') && left-- === 0) process.kill(process.pid, 'SIGKILL');
    return operation(path, ...more);
  };
}
syncBuiltinESMExports();
const { lockDataFolder } = await import(${JSON.stringify(LOCK)});
await lockDataFolder(process.argv[1]);
`;

it('is taken over whole from one that was killed at any step of its own takeover', async () => {
  for (let step = 0, signal: unknown = 'SIGKILL'; signal === 'SIGKILL'; step += 1) {
    const dataDir = await folderLeftByADeadHolder();
    const child = spawn(process.execPath, ['--input-type=module', '--eval', KILLED, dataDir, String(step)], {
      stdio: 'inherit',
    });
    [, signal] = (await once(child, 'exit')) as [number | null, unknown];
    const lock = await lockDataFolder(dataDir);
    await expect(lockDataFolder(dataDir)).rejects.toThrow(`in use by process ${process.pid},`);
    await lock.release();
    if (signal !== 'SIGKILL') expect(step).toBeGreaterThan(5);
  }
});
