import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject, onTestFinished } from 'vitest';
import { findFreePort } from './free-port.js';
import { scratchFolder } from './scratch-folder.js';

const SERVER = new URL('../../dist/main.js', import.meta.url).pathname;

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
  untilReady(timeoutMs?: number): Promise<void>;
}

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(await scratchFolder(), 'comanda-process-'));
}

/** The same, with a database as a first start leaves it, which takes a start without one most of its time to make. */
export async function preparedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await promisify(execFile)('cp', ['-a', `${inject('preparedData')}/.`, folder]);
  return folder;
}

/** Starts the built service as a host would, with nothing of this process's environment but the path. */
export async function startProcess(
  environment: Record<string, string>,
  program = SERVER,
): Promise<ServiceProcess> {
  const port = environment['PORT'] ?? String(await findFreePort());
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], COMANDA_DEMO: 'off', ...environment, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    child,
    output: () => output,
    ended,
    untilReady: (timeoutMs) =>
      untilStatus(`${url}/readyz`, 200, timeoutMs).catch((error: unknown) => {
        throw new Error(`${String(error)}; it said: ${output.slice(-4_000)}`);
      }),
  };
}

/** The same, ended with the test that started it. */
export async function startForTest(environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess(environment);
  onTestFinished(async () => {
    service.child.kill('SIGTERM');
    await service.ended;
  });
  return service;
}

/** A folder that is gone with the test; what the test starts after it has ended by then. */
export async function folderForTest(make = temporaryFolder): Promise<string> {
  const folder = await make();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function untilStatus(url: string, status: number, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (seen === status) return;
    if (performance.now() > deadline)
      throw new Error(`${url} answered ${seen}, not ${status}, for ${timeoutMs} ms`);
    await delay(50);
  }
}
