import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ChildServer {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process to the line that says it is ready. */
  readonly startMs: number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts a program of ours and waits until it prints the address it answers on. */
export async function startChild(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<ChildServer> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A run that is broken off leaves nothing behind.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const port = await untilListening(child, script);
  const startMs = performance.now() - begun;
  return {
    pid: child.pid ?? 0,
    port,
    startMs,
    signal: (name) => child.kill(name),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function untilListening(child: ChildProcess, script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    const listen = (line: string) => {
      const port = /ready on http:\/\/[^"\s]*:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      else if (said.length < 50) said.push(line);
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', listen);
    }
    child.once('exit', (code) =>
      reject(new Error(`${script} ended (${code ?? 'signal'}):\n${said.join('\n')}`)),
    );
  });
}
