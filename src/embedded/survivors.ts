import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../domain/errors.js';
import { readTextIfThere } from './files.js';
import { startOf } from './process-identity.js';
import { findServerProcesses } from './server-processes.js';

const SHUTDOWN_MS = 60_000;
const POLL_MS = 10;
const LOCK_FILES = ['postmaster.pid', '.s.PGSQL.5432.lock'];

/**
 * Ends what an earlier service left behind on this cluster: a server that outlived it is shut down cleanly, and
 * processes that outlived their server, which would keep a new one from starting, are killed.
 */
export async function endSurvivors(folder: string, log: (message: string) => void): Promise<void> {
  const running = await findServerProcesses(folder);
  const postmaster = await recordedPostmaster(folder);
  if (postmaster !== undefined && running.includes(postmaster)) {
    log(
      `Shutting down the PostgreSQL server (process ${postmaster}) that an earlier run of the service left behind`,
    );
    await endProcess(postmaster);
  }
  await endServerProcesses(folder);
  // PostgreSQL would take any process that now has the recorded number, or the unburied remains of the old server, for
  // a running one. That none is left is known here; should it ever be wrong, its check of shared memory still holds.
  for (const record of LOCK_FILES) await rm(join(folder, record), { force: true });
}

/** A fast shutdown; a server that does not come to its end is made to, which loses nothing that was committed. */
export async function endProcess(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    sendSignal(pid, signal);
    if (await isGoneWithin(pid, SHUTDOWN_MS)) return;
  }
}

/** Kills every PostgreSQL process of this folder, for when none of them has a server to answer to. */
export async function endServerProcesses(folder: string): Promise<void> {
  const running = await findServerProcesses(folder);
  for (const pid of running) sendSignal(pid, 'SIGKILL');
  await Promise.all(running.map((pid) => isGoneWithin(pid, SHUTDOWN_MS)));
}

async function recordedPostmaster(folder: string): Promise<number | undefined> {
  const record = await readTextIfThere(join(folder, 'postmaster.pid'));
  const pid = Number.parseInt(record ?? '', 10);
  return pid > 1 ? pid : undefined;
}

async function isGoneWithin(pid: number, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs;
  while ((await startOf(pid)) !== undefined) {
    if (Date.now() > until) return false;
    await delay(POLL_MS);
  }
  return true;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
