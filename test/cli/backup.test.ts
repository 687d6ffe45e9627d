import { once } from 'node:events';
import { access, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
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
    const path = join(folder, 'backup.ndjson.gz');
    const written = await on(first, 'backup', path);
    expect(written).toMatchObject({ code: 0, err: '' });
    const restored = await on(second, 'restore', path);
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('1 merchants')]);
    expect((await on(second, 'backup')).out).toBe(gunzipSync(await readFile(path)).toString());
    expect((await comanda(['stores', 'show', storeId, '--url', second.url, '--key', key])).code).toBe(0);
    expect((await on(second, 'restore', path)).code).toBe(7);
  });

  it('tell at which line an archive is broken, and restore nothing of it', async () => {
    const target = await startService();
    const archive = (await on(first, 'backup', '-')).out;
    const path = join(folder, 'cut.ndjson');
    await writeFile(path, archive.slice(0, archive.indexOf('{"end":')));
    const { code, err } = await on(target, 'restore', path);
    const lines = archive.trimEnd().split('\n').length;
    expect([code, err]).toEqual([
      6,
      `Error: ${path}:${lines - 1}: the archive is incomplete: it ends after this line. Nothing was restored.\n`,
    ]);
    expect(JSON.parse((await on(target, 'merchants', 'list', '--json')).out)).toEqual([]);
    await target.stop();
  });

  it.each([
    ['is cut off', '{"format":"comanda-backup"}\n{"table":"merchants","columns":[]}\n'],
    ['is empty', ''],
  ])('keep no archive that %s', async (_name, text) => {
    const server = createServer((_request, answer) => answer.end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const path = join(folder, 'broken.ndjson');
    const ran = await comanda(['backup', path, '--url', `http://127.0.0.1:${port}`, '--key', 'k']);
    server.close();
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('truncated')]);
    await expect(access(path)).rejects.toThrow();
  });

  it('ask before a file is overwritten', async () => {
    const path = join(folder, 'kept.ndjson');
    await writeFile(path, 'precious');
    const question = `${path} already exists. Overwrite it?`;
    const environment = { COMANDA_URL: first.url, COMANDA_KEY: first.operatorKey };
    const typing = (stdin: string) => comanda(['backup', path], { environment, stdin, canAsk: true });
    expect(await on(first, 'backup', path)).toEqual({
      code: 2,
      out: '',
      err: `Error: ${question} There is no terminal to ask in. Add --yes to proceed.\n`,
    });
    expect((await typing('n\n')).code).toBe(9);
    expect(await readFile(path, 'utf8')).toBe('precious');
    expect((await typing('y\n')).code).toBe(0);
    expect(await readFile(path, 'utf8')).toContain('{"end":');
    expect((await on(first, 'backup', path, '--yes')).code).toBe(0);
  });

  it('write no archive on a screen', async () => {
    const environment = { COMANDA_URL: first.url, COMANDA_KEY: first.operatorKey };
    const { code, out } = await comanda(['backup'], { environment, columns: 80 });
    expect([code, out]).toEqual([2, '']);
  });

  it('need an operator key', async () => {
    const { key } = await createTenant(first);
    expect((await comanda(['backup', '--url', first.url, '--key', key])).code).toBe(4);
  });
});
