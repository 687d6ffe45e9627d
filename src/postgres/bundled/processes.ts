import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from '../../support/errors.js';
import { ifExists, readTextIfThere } from './files.js';

/* Processes of the machine: who holds a lock, which ones belong to a data folder, and the end of those left over. */

const PROGRAMS = ['postgres', 'initdb'];
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
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
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

/**
 * PostgreSQL's processes on this data folder. Titles can be read by everyone; the working directory, a more direct
 * sign, cannot be read across users by a root without all its powers, as in most containers.
 */
export async function findServerProcesses(folder: string): Promise<number[]> {
  const name = await clusterName(folder);
  if (name === undefined) return [];
  const processes = process.platform === 'linux' ? await processesFromProc() : await processesFromPs();
  const ofThisFolder = new RegExp(`\\b${name}(?!\\d)`);
  return processes
    .filter(({ program, title }) => PROGRAMS.includes(program) && ofThisFolder.test(title))
    .map(({ pid }) => pid);
}

interface RunningProcess {
  readonly pid: number;
  readonly program: string;
  readonly title: string;
}

async function processesFromProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      // A process may end between the listing and the look at it.
      const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid, program: program.trim(), title };
    }),
  );
}

async function processesFromPs(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,comm='], { maxBuffer: 2 ** 24 });
  const titles = await promisify(execFile)('ps', ['-axwwo', 'pid=,command='], { maxBuffer: 2 ** 24 });
  const titleOf = new Map(parsePs(titles.stdout));
  return parsePs(stdout).map(([pid, program]) => ({
    pid,
    program: basename(program),
    title: titleOf.get(pid) ?? '',
  }));
}

function parsePs(text: string): [pid: number, rest: string][] {
  return text.split('\n').flatMap((line) => {
    const [, pid, rest] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || rest === undefined ? [] : [[Number(pid), rest]];
  });
}

/**
 * Ends what an earlier service left behind on this cluster: a server that outlived it is shut down cleanly, and
 * processes that outlived their server, which would keep a new one from starting, are killed.
 */
export async function endOrphans(folder: string, log: (message: string) => void): Promise<void> {
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
