import { readdirSync, readFileSync } from 'node:fs';

/** A tick of /proc is a hundredth of a second on every Linux that Node runs on. */
const TICK_MS = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly own: number;
  /** Of children that have ended. */
  readonly ended: number;
}

/** CPU time of a process in milliseconds, user and system; NaN on systems without /proc. */
export function cpuMs(pid: number): number {
  return readTimes(pid)?.own ?? NaN;
}

/** The same of a process with all its children, such as PostgreSQL with its backends. */
export function cpuMsOfFamily(pid: number): number {
  const own = readTimes(pid);
  if (own === undefined) return NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)));
  return children.reduce((sum, child) => sum + (child?.parent === pid ? child.own : 0), own.own + own.ended);
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = NaN, user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = [
      1, 11, 12, 13, 14,
    ].map((field) => fields[field]);
    return { parent, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS };
  } catch {
    return undefined;
  }
}
