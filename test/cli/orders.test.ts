import { gunzipSync, gzipSync } from 'node:zlib';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '#sdk';
import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();

const order = (storeId: string, at: number, more: object = {}) =>
  JSON.stringify({
    store_id: storeId,
    external_id: `order ${at}`,
    customer: { name: `Łukasz ${at}`, phone: `+48 22 ${at}` },
    items: [{ external_id: 'soup', quantity: 1 }],
    price: 1250,
    tax: 100,
    ready_by: '2026-02-01T12:00:00Z',
    created_at: `2026-02-01T10:00:00.${String(Math.floor(at / 2) % 1000).padStart(3, '0')}Z`,
    ...more,
  });

async function open(count: number) {
  const { merchantId, key } = await createTenant(service);
  const storeId = await createStore(service, merchantId, { country: 'ES', timezone: 'Europe/Madrid' });
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
  const orders = (...words: string[]) => comanda(['orders', ...words], { environment });
  const path = join(folder, `${storeId}.ndjson.gz`);
  const lines = Array.from({ length: count }, (_, i) => order(storeId, i));
  await writeFile(path, gzipSync(`${lines.join('\n')}\n`));
  return { storeId, key, orders, path };
}

describe('orders', () => {
  it('come in, go out, and come back the same', async () => {
    const { storeId, orders, path } = await open(250);
    expect(await orders('import', path)).toEqual({
      code: 0,
      out: '250 created, 0 there already, 0 refused.\n',
      err: '',
    });
    expect((await orders('import', path)).out).toBe('0 created, 250 there already, 0 refused.\n');
    const exported = join(folder, 'out.ndjson.gz');
    expect((await orders('export', storeId, '-o', exported)).out).toBe(`Wrote 250 orders to ${exported}.\n`);
    const lines = gunzipSync(await readFile(exported)).toString();
    expect((await orders('export', storeId)).out).toBe(lines);
    expect(lines.trim().split('\n')).toHaveLength(250);
  });

  it('are listed with amounts and times as the store has them', async () => {
    const { storeId, orders, path } = await open(3);
    await orders('import', path);
    const { out } = await orders('list', storeId, '--customer', 'lukasz 2');
    expect(out).toMatch(/^[\w-]{36}\t\t2026-02-01 11:00\tPENDING\tŁukasz 2\t13\.50 EUR\t\+48 22 2\n$/);
    const place = { id: '0199d3a0-0000-7000-8000-000000000001', label: 'Table 7', kind: 'table' };
    const file = join(folder, 'placed.ndjson');
    await writeFile(file, order(storeId, 9, { number: 41, place }));
    await orders('import', file);
    expect((await orders('list', storeId, '--customer', 'table')).out).toMatch(
      /^[\w-]{36}\t41\t2026-02-01 11:00\tPENDING\tŁukasz 9, Table 7\t/,
    );
    expect((await orders('list', storeId, '--all')).out.match(/\t41\t/g)).toHaveLength(1);
    const since = await orders('list', storeId, '--since', '24h');
    expect([since.out, since.err]).toEqual(['', 'No orders.\n']);
    const all = await orders(
      'list',
      storeId,
      '--all',
      '--json',
      '--since',
      '2026-02-01',
      '--until',
      '2026-02-02',
    );
    expect(JSON.parse(all.out)).toHaveLength(4);
    expect((await orders('list', storeId, '--size', '2')).err).toBe(
      'Page 1 of 2, 4 orders. Use --all for every page.\n',
    );
    expect(JSON.parse((await orders('list', storeId, '--json', '--size', '2')).out)).toMatchObject({
      count: 4,
      page_size: 2,
    });
  });

  it('move along, and keep their history', async () => {
    const { storeId, orders, path } = await open(1);
    await orders('import', path);
    const id = (await orders('list', storeId)).out.split('\t')[0] ?? '';
    expect((await orders('status', id, 'accepted')).out).toBe(`Order ${id} is ACCEPTED.\n`);
    expect((await orders('status', id, 'pending')).code).toBe(7);
    expect((await orders('show', id)).out).toContain('status\tACCEPTED\n');
    expect((await orders('show', id, '--history')).out).toContain('\tstatus\tPENDING\tACCEPTED\t');
  });

  it('that are refused are named by their line', async () => {
    const { storeId, orders } = await open(0);
    const path = join(folder, 'bad.ndjson');
    await writeFile(path, `${order(storeId, 1)}\n${order(storeId, 2, { price: -1 })}\n{\n`);
    const { code, out, err } = await orders('import', path);
    expect([code, out]).toEqual([6, '1 created, 0 there already, 2 refused.\n']);
    expect(err).toContain(`${path}:2: price: Input should be greater than or equal to 0\n`);
    expect(err).toContain(`${path}:3: `);
    expect(err).toContain('Error: 2 lines were rejected; the others were imported.\n');
    await writeFile(path, '{\n');
    expect((await orders('import', path)).err).toContain(
      'Error: 1 line was rejected; the others were imported.\n',
    );
  });
});

describe('the iterator of the client library', () => {
  it('gives every order once, also many of the same moment, while others arrive', async () => {
    const { storeId, key, orders, path } = await open(250);
    await orders('import', path);
    const same = Array.from({ length: 230 }, (_, i) =>
      order(storeId, 1000 + i, { created_at: '2026-01-31T00:00:00.500Z' }),
    );
    const client = createClient({ baseUrl: service.url, apiKey: key });
    await client.importOrders(`${same.join('\n')}\n`);
    const seen: string[] = [];
    for await (const { id } of client.iterateOrders(storeId)) {
      seen.push(id);
      if (seen.length === 50)
        await client.importOrders(order(storeId, 5000, { created_at: '2026-03-01T00:00:00Z' }));
    }
    expect(seen).toHaveLength(480);
    expect(new Set(seen).size).toBe(480);
    const first = await client.listOrders(storeId, { page_index: 1, page_size: 1 });
    expect(first.count).toBe(481);
  });

  it('reads an export line by line', async () => {
    const { storeId, key, orders, path } = await open(5);
    await orders('import', path);
    const names: string[] = [];
    const client = createClient({ baseUrl: service.url, apiKey: key });
    for await (const { customer } of await client.exportOrders(storeId)) names.push(customer.name);
    expect(names.sort()).toEqual([0, 1, 2, 3, 4].map((at) => `Łukasz ${at}`));
  });
});
