import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { folderArgument } from './database-folder.js';
import { clusterName, endOrphan, endProcess } from './processes.js';
import { explainServerFailure, PROGRAM_ENVIRONMENT, type RunAs } from './run-program.js';
import type { ServerLog } from './server-log.js';

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

/** What the service relies on; given on the command line, so that no edit of postgresql.conf can change it. */
const FIXED_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['listen_addresses', ''],
  // The data folder itself, which only the server's user may enter. Relative, so that no path is too long for a socket.
  ['unix_socket_directories', '.'],
  ['unix_socket_permissions', '0700'],
  ['port', '5432'],
  ['fsync', 'on'],
  ['full_page_writes', 'on'],
  ['synchronous_commit', 'on'],
  ['logging_collector', 'off'],
  ['log_destination', 'stderr'],
];

const POLL_MS = 10;
const PATIENCE_MS = 5_000;

/** Processes of a server that was killed end by themselves, once they have finished what they are doing. */
const REMAINS = 'pre-existing shared memory block';
const REMAINS_MS = 60_000;
const REMAINS_POLL_MS = 200;

/** Starts the server and waits until it is ready, for as long as its recovery takes; the signal calls it off. */
export async function startPostmaster(options: PostmasterOptions, signal: AbortSignal): Promise<Postmaster> {
  await endOrphan(options.folder, options.log);
  for (const giveUpAt = Date.now() + REMAINS_MS; ; await delay(REMAINS_POLL_MS)) {
    const position = await options.serverLog.position();
    const started = await tryToStart(options, signal);
    if (typeof started !== 'string') return started;
    const said = await options.serverLog.readFrom(position);
    if (signal.aborted || !said.includes(REMAINS) || Date.now() > giveUpAt)
      throw explainServerFailure(`did not start (${started})`, said);
  }
}

/** The server once it is ready, or the reason of its end. */
async function tryToStart(options: PostmasterOptions, signal: AbortSignal): Promise<Postmaster | string> {
  const { pid, ended } = await spawnServer(options);
  if (pid === undefined) return ended;
  let reason: string | undefined;
  void ended.then((cause) => (reason = cause));

  const stop = async () => {
    if (reason !== undefined) return;
    await endProcess(pid);
    await ended;
  };

  let toldAt = Date.now();
  while (!(await isReady(options.folder, pid))) {
    if (signal.aborted) await stop();
    if (reason !== undefined) return reason;
    if (Date.now() - toldAt > PATIENCE_MS) {
      options.log('PostgreSQL is still starting; after a crash it first recovers its files');
      toldAt = Date.now();
    }
    await delay(POLL_MS);
  }
  return { pid, ended, stop };
}

async function spawnServer(options: PostmasterOptions) {
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

/** Must be called at once: a server with invalid settings exits before the next wait is over. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, killedBy) =>
      resolve(killedBy ? `killed by ${killedBy}` : `exit code ${String(code)}`),
    );
  });
}

/** The server reports its state in the eighth line of postmaster.pid. */
async function isReady(folder: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

interface SupervisionOptions {
  readonly start: (signal: AbortSignal) => Promise<Postmaster>;
  readonly onExit: (reason: string) => void;
  readonly log: (message: string) => void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
const STABLE_MS = 30_000;

/** Starts the server and starts it again whenever it ends by itself, with growing pauses, until it is stopped. */
export async function supervise({ start, onExit, log }: SupervisionOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopping = () => signal.aborted;
  let current = await start(signal);
  let pause = FIRST_PAUSE_MS;

  const startAgain = async () => {
    for (let isRunning = false; !isRunning;) {
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (isStopping()) return;
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      try {
        current = await start(signal);
        isRunning = true;
        log(`PostgreSQL is running again as process ${current.pid}`);
      } catch (error) {
        if (!isStopping()) log(error instanceof Error ? error.message : String(error));
      }
    }
  };

  const keepRunning = async () => {
    while (!isStopping()) {
      const startedAt = Date.now();
      const reason = await current.ended;
      if (isStopping()) return;
      onExit(reason);
      if (Date.now() - startedAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      await startAgain();
    }
    await current.stop();
  };
  const kept = keepRunning();

  return {
    /** The server that runs now, or the last one that did. */
    get current() {
      return current;
    },
    stop: async () => {
      stopping.abort();
      await current.stop();
      await kept;
    },
  };
}
