import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { folderArgument } from './database-folder.js';
import { explainServerFailure } from './operator-errors.js';
import { PROGRAM_ENVIRONMENT, type RunAs } from './run-program.js';
import type { ServerLog } from './server-log.js';
import { clusterName } from './server-processes.js';
import { FIXED_SETTINGS } from './postgres-settings.js';
import { endProcess, endSurvivors } from './survivors.js';

/** A server that accepts connections. */
export interface Postmaster {
  readonly pid: number;
  /** Settles with the reason when the server has ended, for whatever cause. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface PostmasterOptions {
  readonly postgres: string;
  readonly folder: string;
  readonly runAs: RunAs | undefined;
  readonly maxConnections: number;
  readonly serverLog: ServerLog;
  readonly log: (message: string) => void;
}

const POLL_MS = 10;
const PATIENCE_MS = 5_000;

/** Starts the server and waits until it is ready, for as long as its recovery takes; the signal calls it off. */
export async function startPostmaster(options: PostmasterOptions, signal: AbortSignal): Promise<Postmaster> {
  await endSurvivors(options.folder, options.log);
  const position = await options.serverLog.position();
  const { pid, ended } = await spawnServer(options);
  let reason: string | undefined;
  void ended.then((cause) => (reason = cause));

  const stop = async () => {
    if (reason !== undefined || pid === undefined) return;
    await endProcess(pid);
    await ended;
  };

  let toldAt = Date.now();
  while (!(await isReady(options.folder, pid))) {
    if (signal.aborted) await stop();
    if (reason !== undefined || pid === undefined) {
      const said = await options.serverLog.readFrom(position);
      throw explainServerFailure(`did not start (${reason ?? (await ended)})`, said);
    }
    if (Date.now() - toldAt > PATIENCE_MS) {
      options.log('PostgreSQL is still starting; after a crash it first brings its files up to date');
      toldAt = Date.now();
    }
    await delay(POLL_MS);
  }
  return { pid: pid ?? 0, ended, stop };
}

interface SpawnedServer {
  readonly pid: number | undefined;
  readonly ended: Promise<string>;
}

async function spawnServer(options: PostmasterOptions): Promise<SpawnedServer> {
  const output = await options.serverLog.open();
  try {
    const own = [
      ['cluster_name', (await clusterName(options.folder)) ?? ''],
      ['max_connections', String(options.maxConnections)],
    ] as const;
    const settings = [...own, ...FIXED_SETTINGS].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(options.postgres, ['-D', folderArgument(options.folder), ...settings], {
      cwd: options.folder,
      env: PROGRAM_ENVIRONMENT,
      // A session of its own: the terminal's Ctrl-C is for the service, which finishes its requests first.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      ...options.runAs,
    });
    child.unref();
    return { pid: child.pid, ended: endOf(child) };
  } finally {
    await output.close();
  }
}

/** To be asked for at once: a server with a fault in its settings has ended before the next wait is over. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, killedBy) =>
      resolve(killedBy ? `killed by ${killedBy}` : `exit code ${String(code)}`),
    );
  });
}

/** The eighth line of postmaster.pid is the server's own word on its state. */
async function isReady(folder: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}
