import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openServerLog } from '../../../src/postgres/bundled/server-log.js';
import { makeDataFolder } from './helpers.js';

it('keeps one file of the given size and the one before it, while a server goes on writing', async () => {
  const folder = await makeDataFolder();
  await mkdir(folder);
  const path = join(folder, 'postgres.log');
  const log = openServerLog(path, { bytes: 100, checkMs: 10 });
  onTestFinished(() => log.close());
  const handle = await log.open();
  await handle.write(`${'x'.repeat(200)}\n`);
  await vi.waitFor(async () => expect((await stat(path)).size).toBe(0), { timeout: 20_000 });
  await handle.write('after\n');
  await handle.close();
  expect(await readFile(path, 'utf8')).toBe('after\n');
  expect((await stat(`${path}.1`)).size).toBe(201);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('reads what was written since a position, and from the beginning when the file was cut in between', async () => {
  const folder = await makeDataFolder();
  await mkdir(folder);
  const log = openServerLog(join(folder, 'postgres.log'));
  onTestFinished(() => log.close());
  const handle = await log.open();
  await handle.write('before\n');
  const position = await log.position();
  await handle.write('since\n');
  expect(await log.readFrom(position)).toBe('since\n');
  await handle.truncate(0);
  await handle.write('cut\n');
  expect(await log.readFrom(position)).toBe('cut\n');
  await handle.close();
});
