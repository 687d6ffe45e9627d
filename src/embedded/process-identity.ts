import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

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
export async function startOf(pid: number): Promise<string | undefined> {
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
