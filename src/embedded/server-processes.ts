import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { ifExists } from './files.js';

const PROGRAMS = ['postgres', 'initdb'];

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
