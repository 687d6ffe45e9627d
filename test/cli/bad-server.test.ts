import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const STORE = '01234567-89ab-7def-8123-456789abcdef';
const MIB = 1024 * 1024;
let close: (() => void) | undefined;
afterEach(() => close?.());

/** No real service would answer like these. */
async function against(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (words: string[], columns?: number) =>
    comanda([...words, '--url', url, '--key', 'k'], columns === undefined ? {} : { columns });
}

const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

/** An export of these bytes, with a count for the bar. */
const exporting =
  (body: string | Buffer): RequestListener =>
  (request, response) => {
    if (request.url?.includes('/export') === true) response.end(body);
    else response.end('{"count": 1, "order_result_list": []}');
  };

describe('a file that is downloaded', () => {
  const exportTo = async (path: string, body = '{"id":"1"}\n') =>
    (await against(exporting(body)))(['orders', 'export', STORE, '-o', path]);

  it('is not written through a link that lies where it is prepared', async () => {
    const path = join(folder, 'linked.ndjson');
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, `${path}.part`);
    expect((await exportTo(path)).code).toBe(0);
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect(await readFile(path, 'utf8')).toBe('{"id":"1"}\n');
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
  });

  it('takes the place of one that broke off', async () => {
    const path = join(folder, 'again.ndjson');
    await writeFile(`${path}.part`, 'half');
    expect((await exportTo(path)).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe('{"id":"1"}\n');
  });

  it('goes into a device without replacing it', async () => {
    expect((await exportTo('/dev/null')).code).toBe(0);
    expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true);
  });
});

describe('an answer without end', () => {
  const spaces = Buffer.alloc(MIB, ' ');
  const endless: RequestListener = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(spaces)) continue;
    };
    response.on('drain', more);
    more();
  };

  it('is not read to the end', async () => {
    const run = await against(endless);
    const { code, err } = await run(['stores', 'show', STORE]);
    expect([code, err]).toEqual([1, expect.stringMatching(/sent a response of more than \d+ bytes\n$/)]);
  });

  it('is not read to the end when it is compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(257 * MIB, ' '));
    const run = await against((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(bomb),
    );
    const { code, err } = await run(['stores', 'show', STORE]);
    expect([code, err]).toEqual([1, expect.stringMatching(/sent a response of more than \d+ bytes\n$/)]);
  });

  it('is not read to the end when it is a refusal', async () => {
    const run = await against((request, response) => {
      response.statusCode = 400;
      endless(request, response);
    });
    const { code, err } = await run(['stores', 'show', STORE]);
    expect([code, err]).toEqual([6, 'Error: 400\n']);
  });
});

describe('pages without end', () => {
  const page = Array.from({ length: 1000 }, (_, i) => ({ id: String(i), name: {} }));

  it('end the list of stores when they are always the same', async () => {
    const run = await against(json(page));
    const { code, err } = await run(['stores', 'list']);
    expect([code, err]).toEqual([1, expect.stringContaining('keeps returning the same page')]);
  });

  it.each([
    ['one moment', () => '2026-01-01T00:00:00.000Z'],
    ['falling moments', (at: number) => new Date(1_700_000_000_000 - at).toISOString()],
  ])('end the list of orders when they are always the same, of %s', async (_name, momentOf) => {
    const orders = Array.from({ length: 100 }, (_, i) => ({
      ...{ id: String(i), created_at: momentOf(i), status: 'READY', price: 1, tax: 0 },
      customer: { name: 'x', phone: '1' },
    }));
    const run = await against((request, response) => {
      if (request.url?.startsWith('/manage') === true) json({ id: STORE })(request, response);
      else json({ count: 1, order_result_list: orders })(request, response);
    });
    const { code, err } = await run(['orders', 'list', STORE, '--all']);
    expect([code, err]).toEqual([1, expect.stringContaining('keeps returning the same page')]);
  });
});

describe('an answer of another shape', () => {
  it.each([
    ['stores', 'list'],
    ['stores', 'show', 'centro'],
    ['merchants', 'list'],
    ['keys', 'list'],
    ['orders', 'show', STORE, '--history'],
    ['menu', 'sold-out', STORE],
  ])('gets a sentence: %s %s', async (...words) => {
    for (const body of [{}, [], null, 5, 'text', { versions: 5, order_result_list: 5, items: 5 }]) {
      const { code, err } = await (await against(json(body)))(words);
      close?.();
      if (code === 0) continue;
      expect(err).toMatch(/^Error: (Unexpected response |The response is not |404|No store has )/);
    }
  });
});

it('does not take a folder for a file to send', async () => {
  const run = await against(json({}));
  for (const words of [
    ['orders', 'import', folder],
    ['restore', folder],
  ]) {
    const { code, err } = await run(words);
    expect([code, err]).toEqual([2, `Error: Cannot read ${folder}: it is a folder\n`]);
  }
});

it('does not pretend that a key was shown where its answer was lost and came again without it', async () => {
  const run = await against((request, response) => {
    request.resume();
    response.statusCode = 201;
    json({ id: STORE, kind: 'merchant', permissions: ['read'], last_four: 'abcd' })(request, response);
  });
  const { code, err } = await run(['keys', 'create', '--merchant', STORE]);
  expect([code, err]).toEqual([
    1,
    `Error: The response with the secret was lost. Get a new one with: comanda keys rotate ${STORE} --overlap 0\n`,
  ]);
});
