import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { folderForTest } from '../harness/process.js';

/** TEST_PROGRAMS names a folder with programs to use before those of the host, such as a newer PgBouncer. */
const PLACES = [
  process.env['TEST_PROGRAMS'] ?? '/usr/local/sbin',
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
];

/** Where a program of the host is; a test that needs one it cannot have says so, loudly, instead of passing. */
export function findProgram(name: string): string | undefined {
  const found = PLACES.map((place) => join(place, name)).find((path) => existsSync(path));
  if (found === undefined)
    console.error(`!!! ${name} is not to be had on this machine: its tests did NOT run !!!`);
  return found;
}

/** A configuration of packaging/, with other ports, in a folder of the test. */
export async function adaptedConfig(
  path: string,
  change: (text: string, folder: string) => string,
): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = await folderForTest();
  const file = join(folder, 'config');
  const text = await readFile(new URL(`../../packaging/${path}`, import.meta.url), 'utf8');
  await writeFile(file, change(text, folder));
  return { folder, file };
}

/** Runs a program until the end of the test, from the moment that it listens. */
export async function runProgram(
  program: string,
  args: readonly string[],
  port: number,
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, delay(3_000).then(() => child.kill('SIGKILL'))]);
  });
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
    if (await listens(port)) return child;
    await delay(50);
  }
  throw new Error(`${program} does not listen on ${port}: ${output}`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
