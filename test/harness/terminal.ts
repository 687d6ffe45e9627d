import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { findFreePort } from './free-port.js';

export interface InTerminal {
  readonly url: string;
  /** All that the terminal shows so far. */
  readonly output: () => string;
}

/** Starts the built service in a terminal, as a person does; Ctrl-C ends it with the test. */
export async function startInTerminal(environment: Record<string, string>): Promise<InTerminal> {
  const port = String(await findFreePort());
  const server = new URL('../../dist/main.js', import.meta.url).pathname;
  const terminal = spawn('script', ['-qefc', `'${process.execPath}' '${server}'`, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...environment, PORT: port },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(terminal, 'close');
  onTestFinished(async () => {
    terminal.stdin.write('\x03');
    await ended;
  });
  return { url: `http://127.0.0.1:${port}`, output: () => output };
}
