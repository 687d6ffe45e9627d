import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, StartupError } from '../../support/errors.js';
import { ifExists } from './files.js';

/* How PostgreSQL's programs are run: as which user, and what their failures mean. */

/** The user and group a program runs as; left out, it runs as the service's own user. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly runAs: RunAs | undefined;
  readonly input?: string;
  /** Kills the program and all it has started. */
  readonly signal?: AbortSignal | undefined;
}

/** Nothing of the service's environment reaches PostgreSQL: a stray PGPORT or LC_ALL must not change what it does. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C' };

const KEPT_OUTPUT = 16_384;

/** Runs a program to its end, out of reach of the terminal's Ctrl-C; rejects only when it could not be started. */
export function runProgram(run: ProgramRun): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    run.signal?.throwIfAborted();
    const child = spawn(run.program, run.args, {
      cwd: run.cwd,
      env: PROGRAM_ENVIRONMENT,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...run.runAs,
    });
    const breakOff = () => killGroup(child.pid);
    run.signal?.addEventListener('abort', breakOff, { once: true });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => {
      run.signal?.removeEventListener('abort', breakOff);
      resolve({ code, output });
    });
    child.stdin.end(run.input ?? '');
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

// PostgreSQL refuses to run as root. An id of its own keeps the data apart from whatever else runs as "nobody"; it lies
// in a range that neither distributions nor systemd give out, and below 65536, where every container can map it.
const SERVER_ID = 60_888;

/** Whom PostgreSQL runs as: the service's own user, or, for root, an unprivileged one that need not exist. */
export async function chooseServerUser(databaseFolder: string): Promise<RunAs | undefined> {
  const own = process.getuid?.() ?? 0;
  const folder = await ifExists(stat(databaseFolder));
  if (own === 0) {
    return folder === undefined || folder.uid === 0
      ? { uid: SERVER_ID, gid: SERVER_ID }
      : { uid: folder.uid, gid: folder.gid === 0 ? folder.uid : folder.gid };
  }
  if (folder !== undefined && folder.uid !== own) {
    throw new StartupError(
      `The database in ${databaseFolder} belongs to user ${folder.uid}, but the service runs as user ${own}. ` +
        `Start it as root or as that user, or change the owner with \`chown -R ${own} ${dirname(databaseFolder)}\`.`,
    );
  }
  return undefined;
}

/**
 * initdb looks its own user up and gives up on one without a name, so for root it runs as a user that every system
 * knows; the files change hands afterwards.
 */
export async function chooseInitUser(serverUser: RunAs | undefined): Promise<RunAs | undefined> {
  if (serverUser === undefined) return undefined;
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const chosen = users.find(({ name }) => name === 'nobody') ?? users[0];
  if (chosen === undefined) {
    throw new StartupError(
      'The bundled PostgreSQL cannot be initialised as root, and /etc/passwd has no other user. ' +
        'Add one (for example "nobody"), start the service as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { uid: chosen.uid, gid: chosen.gid };
}

function parsePasswd(text: string): { name: string; uid: number; gid: number }[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    const user = { name: name ?? '', uid: Number(uid), gid: Number(gid) };
    return isOrdinaryId(user.uid) && isOrdinaryId(user.gid) ? [user] : [];
  });
}

function isOrdinaryId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id < 2 ** 31;
}

const SHOWN_LINES = 12;

/** What PostgreSQL itself said, with what to do about it where that is known. */
export function explainServerFailure(what: string, output: string): StartupError {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const advice = serverAdvice(output);
  return new StartupError(
    `The bundled PostgreSQL ${what}${advice ? `: ${advice}` : '.'} It said:\n  ${lines.join('\n  ')}`,
  );
}

function serverAdvice(output: string): string | undefined {
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    return 'the disk is full. Free some space and start again.';
  }
  if (output.includes('could not look up effective user ID')) {
    return (
      'initialising it needs a named user, and this one is not in /etc/passwd. ' +
      'Run the first start as a named user or as root, or set DATABASE_URL.'
    );
  }
  if (/could not (map anonymous|create|resize) shared memory|Cannot allocate memory/i.test(output)) {
    return 'there is not enough memory. Add memory, or lower shared_buffers in its postgresql.conf.';
  }
  if (
    /could not locate a valid checkpoint record|invalid checkpoint|incorrect checksum in control file/i.test(
      output,
    )
  ) {
    return 'its files are damaged. Restore the data folder from a backup.';
  }
  return undefined;
}
