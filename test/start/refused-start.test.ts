import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { startProcess, temporaryFolder, workersOf, type ServiceProcess } from '../harness/process.js';

const started: ServiceProcess[] = [];
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
});

async function start(environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess(environment);
  started.push(service);
  return service;
}

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('workers that may not serve', () => {
  it('end the start with one sentence when the port was taken after it had been found free', async () => {
    const dataDir = await newFolder();
    // The service looks at the port first, then at the lock: as a pipe, that holds it there until the test has the port.
    const lock = join(dataDir, 'comanda.lock');
    await promisify(execFile)('mkfifo', [lock]);
    const service = await start({ COMANDA_DATA_DIR: dataDir, COMANDA_WORKERS: '2' });
    const pipe = await open(lock, 'w');
    const { port } = new URL(service.url);
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    await rm(lock);
    await pipe.close();

    expect(await service.ended).toBe(1);
    const told = service
      .output()
      .split('\n')
      .filter((line) => !line.startsWith('{'));
    expect(told).toEqual([
      'Comanda did not start.',
      `PORT ${port} on 127.0.0.1 is in use by another program. Stop that one, or set PORT to a free port.`,
      '',
    ]);
    expect(service.output()).not.toContain('takes its place');
  });

  it('are tried again when one takes the place of another', async () => {
    const dataDir = await newFolder();
    const keyFile = join(dataDir, 'given.key');
    await writeFile(keyFile, 'k'.repeat(40));
    const service = await start({
      COMANDA_DATA_DIR: join(dataDir, 'data'),
      COMANDA_OPERATOR_KEY_FILE: keyFile,
      COMANDA_WORKERS: '2',
    });
    await service.untilReady();
    const workers = await workersOf(service);
    expect(workers).toHaveLength(2);
    await rm(keyFile);
    process.kill(Number(workers[0]), 'SIGKILL');
    await expect.poll(service.output).toMatch(/Worker \d+ ended \(1\)/);
    await writeFile(keyFile, 'k'.repeat(40));
    await expect.poll(() => workersOf(service)).toHaveLength(2);
  });
});
