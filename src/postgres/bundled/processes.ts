import { execFile } from 'node:child_process';
import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from '../../support/errors.js';
import { ifExists, readTextIfThere } from './files.js';

/* Processes of the machine: who holds a lock, and a server that was left over. */

const LOCK_FILES = ['postmaster.pid', '.s.PGSQL.5432.lock'];
const SHUTDOWN_MS = 60_000;
const POLL_MS = 10;

/** Tells a process from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  /** The run of the machine and the space of process numbers in which `pid` and `started` mean something. */
  readonly realm: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, started: (await startOf(process.pid)) ?? '', realm: await ownRealm() };
}

/** Whether the process lives; undefined when it cannot be known from here (another container or machine, or before a reboot). */
export async function isRunning(identity: ProcessIdentity): Promise<boolean | undefined> {
  if (identity.realm !== (await ownRealm())) return undefined;
  return (await startOf(identity.pid)) === identity.started;
}

/** When the process started, in whatever unit the system counts; undefined when there is none, or only its remains. */
async function startOf(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

async function startFromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

async function startFromPs(pid: number): Promise<string | undefined> {
  const [state = '', ...started] = (await askPs(pid, 'stat=,lstart=')).trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}

/** Empty where there is no such process. */
function askPs(pid: number, columns: string): Promise<string> {
  const asked = promisify(execFile)('ps', ['-wwo', columns, '-p', String(pid)]);
  return asked.then(
    ({ stdout }) => stdout,
    () => '',
  );
}

async function ownRealm(): Promise<string> {
  if (process.platform !== 'linux') return process.platform;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${boot.trim()} ${namespace}`;
}

/**
 * The cluster_name of a data folder, which PostgreSQL shows in the title of each of its processes. Made from the
 * folder's place on the disk, which stays the same when the folder is renamed.
 */
export async function clusterName(folder: string): Promise<string | undefined> {
  const found = await ifExists(stat(folder));
  return found && `comanda-${found.dev}-${found.ino}`;
}

/** Whether the process is a PostgreSQL server on this data folder. */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  const name = await clusterName(folder);
  // Titles can be read by everyone; the working directory, a more direct sign, cannot be read across users by a root
  // without all its powers, as in most containers.
  const title =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await askPs(pid, 'command=');
  return name !== undefined && new RegExp(`postgres.*\\b${name}(?!\\d)`, 's').test(title);
}

/** Shuts a server down cleanly that an earlier service left behind on this cluster. */
export async function endOrphan(folder: string, log: (message: string) => void): Promise<void> {
  const pid = await recordedPostmaster(folder);
  if (pid !== undefined && (await isServerOf(folder, pid))) {
    log(
      `Shutting down the PostgreSQL server (process ${pid}) that an earlier run of the service left behind`,
    );
    await endProcess(pid);
  }
  // PostgreSQL would take any process that now has the recorded number, or the unburied remains of the old server, for
  // a running one. Should one be left all the same, its check of shared memory still holds.
  for (const record of LOCK_FILES) await rm(join(folder, record), { force: true });
}

/** A fast shutdown; a server that does not come to its end is made to, which loses nothing that was committed. */
export async function endProcess(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    sendSignal(pid, signal);
    if (await isGoneWithin(pid, SHUTDOWN_MS)) return;
  }
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
