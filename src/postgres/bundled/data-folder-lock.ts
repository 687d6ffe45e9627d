import { createHash, randomUUID } from 'node:crypto';
import { link, lstat, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, StartupError } from '../../support/errors.js';
import { ifExists, refuseInsteadOfFile } from './files.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './processes.js';

export type DataFolderLock = Awaited<ReturnType<typeof lockDataFolder>>;

const LOCK = 'comanda.lock';
const BEAT_MS = 1_000;
// Far longer than a busy holder ever goes without a beat.
const SILENCE_MS = 6_000;
const GUARDED_MS = 10;

/**
 * Takes the data folder for this process. The lock is a file that names its holder; one left by a process that is no
 * longer there is taken over. A holder that cannot be looked up from here (the folder is shared between containers, or
 * the machine was restarted) counts as alive when it is seen to renew the file.
 */
export async function lockDataFolder(dataDir: string, signal?: AbortSignal) {
  const path = join(dataDir, LOCK);
  const text = JSON.stringify({ ...(await ownIdentity()), token: randomUUID() });
  while (!(await put(path, text))) {
    await requireLockFile(path);
    const held = await ifExists(readFile(path, 'utf8'));
    if (held === undefined) continue;
    if (await isAlive(path, held, signal)) throw inUse(dataDir, held);
    await removeDead(path, held, text);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, BEAT_MS).unref();
  return {
    release: async () => {
      clearInterval(beat);
      await removeIfStill(path, text);
    },
  };
}

/** A folder cannot be read as a lock, a pipe would be waited for without end, and a link to nowhere never goes away by itself. */
async function requireLockFile(path: string): Promise<void> {
  const found = await ifExists(lstat(path));
  if (found === undefined || found.isFile()) return;
  throw refuseInsteadOfFile(path, found, 'the service keeps its lock');
}

/** Links a complete file into place, so that nobody ever reads half a lock; false when there is one already. */
async function put(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o644 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes a file that a dead process left. Others may find it at the same moment, and a slow one must not remove what a
 * quick one has put in its place: so the file is removed only by who has put a guard beside it, whose name is made of
 * the dead one's text, and who still finds that text there. A guard whose own maker was killed is removed the same way.
 */
async function removeDead(path: string, held: string, own: string): Promise<void> {
  const guard = join(dirname(path), `${LOCK}.${createHash('sha256').update(held).digest('hex')}`);
  if (await put(guard, own)) {
    await removeIfStill(path, held);
    await rm(guard, { force: true });
    return;
  }
  const guarding = await ifExists(readFile(guard, 'utf8'));
  if (guarding === undefined) return;
  if (await isAlive(guard, guarding)) await delay(GUARDED_MS);
  else await removeDead(guard, guarding, own);
}

async function removeIfStill(path: string, text: string): Promise<void> {
  if ((await ifExists(readFile(path, 'utf8'))) === text) await rm(path, { force: true });
}

async function isAlive(path: string, held: string, signal?: AbortSignal): Promise<boolean> {
  const holder = parseHolder(held);
  return (holder && (await isRunning(holder))) ?? (await isRenewed(path, held, signal));
}

function inUse(dataDir: string, held: string): StartupError {
  const holder = parseHolder(held);
  const name = holder === undefined ? 'another process' : `process ${holder.pid}`;
  return new StartupError(
    `The data folder ${dataDir} is in use by ${name}, a service that is already running. ` +
      `Stop that one first, or set COMANDA_DATA_DIR to another folder.`,
  );
}

async function isRenewed(path: string, held: string, signal: AbortSignal | undefined): Promise<boolean> {
  const seen = await ifExists(stat(path));
  // Its time says nothing by itself: the clock of the holder may be another.
  if (seen === undefined) return false;
  for (let waited = 0; waited < SILENCE_MS; waited += BEAT_MS / 2) {
    await delay(BEAT_MS / 2, undefined, { signal });
    const now = await ifExists(stat(path));
    if (now === undefined) return false;
    if (now.mtimeMs !== seen.mtimeMs) return (await ifExists(readFile(path, 'utf8'))) === held;
  }
  return false;
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const holder = JSON.parse(text) as ProcessIdentity | null;
    return holder?.pid === undefined ? undefined : holder;
  } catch {
    return undefined;
  }
}
