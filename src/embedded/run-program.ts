import { spawn } from 'node:child_process';
import { errorCode } from '../domain/errors.js';

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
