import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { comanda } from './command-line.js';

let first: Service;
let second: Service;
beforeAll(async () => {
  first = await startService();
  second = await startService();
});
afterAll(async () => {
  await first.stop();
  await second.stop();
});

const on = ({ url, operatorKey }: Service, ...words: string[]) =>
  comanda([...words, '--url', url, '--key', operatorKey]);

describe('backup and restore', () => {
  it('carry an installation into another one, and out of it the same', async () => {
    const { storeId, key } = await createTenant(first);
    const path = join(await mkdtemp(join(tmpdir(), 'comanda-backup-')), 'backup.ndjson.gz');
    const written = await on(first, 'backup', '-o', path);
    expect(written).toMatchObject({ code: 0, err: '' });
    const restored = await on(second, 'restore', path);
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('1 merchants')]);
    expect((await on(second, 'backup')).out).toBe(gunzipSync(await readFile(path)).toString());
    expect((await comanda(['stores', 'show', storeId, '--url', second.url, '--key', key])).code).toBe(0);
    expect((await on(second, 'restore', path)).code).toBe(7);
  });

  it('need an operator key', async () => {
    const { key } = await createTenant(first);
    expect((await comanda(['backup', '--url', first.url, '--key', key])).code).toBe(4);
  });
});
