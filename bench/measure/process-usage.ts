import { readdir, readFile } from 'node:fs/promises';

/** What the system knows about processes; on systems without /proc there is nothing to tell, and no figure. */
const MS_PER_TICK = 10;

/** Milliseconds of processor time that the processes have used, in user and system mode together. */
export async function cpuMs(pids: readonly number[]): Promise<number | undefined> {
  const each = await Promise.all(pids.map(ownCpuMs));
  return each.some((value) => value === undefined)
    ? undefined
    : each.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** The same for a process and all its descendants, those that have ended included: a PostgreSQL and its backends. */
export async function treeCpuMs(root: number): Promise<number | undefined> {
  const fields = await statFields(root);
  if (fields === undefined) return undefined;
  const ended = (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
  const own = await cpuMs([root, ...(await childrenOf(root))]);
  return own === undefined ? undefined : own + ended;
}

export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => Number((await statFields(pid))?.[1])));
  return pids.filter((_, at) => parents[at] === parent);
}

/** Resident memory now and at its highest, in MB. */
export async function residentMb(pid: number): Promise<{ now: number; highest: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (status === undefined) return undefined;
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: read('VmRSS'), highest: read('VmHWM') };
}

async function ownCpuMs(pid: number): Promise<number | undefined> {
  const fields = await statFields(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** The fields of /proc/<pid>/stat from the third on; the second, the name, may hold spaces. */
async function statFields(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}
