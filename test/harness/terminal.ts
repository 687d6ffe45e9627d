import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { findFreePort } from './free-port.js';

export interface InTerminal {
  readonly url: string;
  /** All that the terminal shows so far. */
  readonly output: () => string;
  /** Ends the terminal itself, as closing its window does: what runs in it gets SIGHUP and can write no more. */
  close(): Promise<void>;
}

const SERVER = new URL('../../dist/main.js', import.meta.url).pathname;

/** Starts a command in a terminal, as a person does; Ctrl-C ends it with the test. Default: the built service. */
export async function startInTerminal(
  environment: Record<string, string>,
  command = `'${process.execPath}' '${SERVER}'`,
): Promise<InTerminal> {
  const port = String(await findFreePort());
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...environment, PORT: port },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Nobody takes a Ctrl-C after the terminal was closed.
  terminal.stdin.on('error', () => undefined);
  const ended = once(terminal, 'close');
  onTestFinished(async () => {
    terminal.stdin.write('\x03');
    await ended;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    close: async () => {
      terminal.kill('SIGKILL');
      await ended;
    },
  };
}
