import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuMs } from '../measure/cpu.js';

export interface Server {
  readonly port: number;
  /** Milliseconds from the start of the process to the line that says it is ready. */
  readonly startMs: number;
  /** Resident memory in MB; NaN on systems without /proc. */
  residentMb(): Promise<number>;
  /** CPU time so far in milliseconds; NaN on systems without /proc. */
  cpuMs(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts a server and waits until it prints the address it listens on. */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<Server> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // An interrupted run leaves nothing behind.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return {
    port: await untilListening(child, script),
    startMs: performance.now() - begun,
    residentMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    cpuMs: () => cpuMs(child.pid ?? NaN),
    signal: (name) => child.kill(name),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Starts one of the servers of bench/references with its settings as JSON. */
export function startReference(name: string, settings: object): Promise<Server> {
  return startServer(pathOf(`references/${name}`), [JSON.stringify(settings)]);
}

/** A process of its own that does one job at a time; see serveJobs. */
export interface Program {
  run<T>(job: object): Promise<T>;
  stop(): Promise<void>;
}

type Reply = { readonly result: unknown } | { readonly error: string };

export function startProgram(name: string, settings: object = {}): Program {
  const child = fork(pathOf(name), [JSON.stringify(settings)], { serialization: 'advanced' });
  return {
    run: async <T>(job: object) => {
      child.send(job);
      const [reply] = (await once(child, 'message')) as [Reply];
      if ('error' in reply) throw new Error(`${name}: ${reply.error}`);
      return reply.result as T;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The program's side of startProgram: runs each job it is sent and replies with the result. */
export function serveJobs<Job>(run: (job: Job) => unknown): void {
  const reply = (message: Reply) => process.send?.(message);
  process.on('message', (job: Job) => {
    const running = Promise.resolve(job).then(run);
    running.then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}

export function readSettings<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

function pathOf(program: string): string {
  return fileURLToPath(new URL(`../${program}.js`, import.meta.url));
}

function untilListening(child: ChildProcess, script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const listen = (line: string) => {
      const port = /ready on http:\/\/[^"\s]*:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      else if (lines.length < 50) lines.push(line);
    };
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface({ input: stream }).on('line', listen);
    child.once('exit', (code) => reject(new Error(`${script} ended (${code}):\n${lines.join('\n')}`)));
  });
}
