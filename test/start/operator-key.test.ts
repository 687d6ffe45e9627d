import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepOperatorKeyInFile } from '../../src/start/key-files.js';
import { ask } from '../harness/client.js';
import { temporaryFolder } from '../harness/process.js';
import { startService, type Service } from '../harness/service.js';

let service: Service;
let folder: string;
let path: string;
beforeAll(async () => {
  service = await startService();
  folder = await temporaryFolder();
  path = join(folder, 'operator.key');
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function startAgain(): Promise<string> {
  let logged = '';
  const log = pino({ base: null, timestamp: false }, { write: (line) => (logged += line) });
  await keepOperatorKeyInFile(service.db, folder, log);
  return logged;
}

const keyInFile = async () => (await readFile(path, 'utf8')).trim();
const statusWith = async (key: string) => (await ask(`${service.url}/v1/merchants/`, { key })).status;

async function rotate(key: string): Promise<string> {
  const keys = await ask<{ id: string }[]>(`${service.url}/manage/v1/keys`, { key });
  const rotated = await ask<{ key: string }>(`${service.url}/manage/v1/keys/${keys.body.at(-1)?.id}/rotate`, {
    method: 'POST',
    key,
    body: { overlap_seconds: 0 },
  });
  return rotated.body.key;
}

it('follows the key that its owner puts into the file, and is told what removing the file does', async () => {
  await startAgain();
  const first = await keyInFile();
  const second = await rotate(first);
  expect(await startAgain()).toContain('write it into the file');
  await writeFile(path, second);
  expect(await startAgain()).toBe('');
  expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);

  const third = await rotate(second);
  expect(await startAgain()).toContain('remove the file; that revokes all others');
  await rm(path);
  expect(await startAgain()).toBe('');
  expect([await statusWith(third), await statusWith(await keyInFile())]).toEqual([401, 200]);
});
