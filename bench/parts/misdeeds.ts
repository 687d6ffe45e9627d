import { gzipSync } from 'node:zlib';
import { importOrders } from '../data/import-orders.js';
import { menuJson, MENUS } from '../data/menus.js';
import { orderPieces } from '../data/orders.js';
import { createStore, createTenant } from '../data/tenant.js';
import type { FloodJob } from '../measure/flood.js';
import { requestBytes } from '../measure/request.js';
import type { Setting } from './setting.js';
import { treePath } from './menu-bytes.js';

/** A way in which one merchant may get in the way of the others. */
export interface Misdeed {
  readonly name: string;
  readonly flood: Omit<FloodJob, 'port'>;
}

const ORDERS = 20_000;
const IMPORTED = 4_900;
const LARGE_ORDERS = 40;
const LARGE_BYTES = 700_000;

/** Those of a merchant of its own, with all that they need in place. */
export async function prepareMisdeeds(setting: Setting): Promise<Misdeed[]> {
  const { service } = setting;
  const tenant = await createTenant(service);
  const { key } = tenant;
  const storeId = await createStore(service, tenant, 'Unruly');
  const largeId = await createStore(service, tenant, 'Unruly and large');
  await importOrders(service, key, { storeId, count: ORDERS, seed: 7 });
  const menu = menuJson(MENUS[10000]);
  const dearerMenu = menu.replaceAll('"price":', '"price":1');
  for (const body of [menu, dearerMenu]) await service.ask({ path: treePath(storeId), key, body });
  for (let at = 0; at < LARGE_ORDERS; at += 1)
    await service.ask({ path: `/manage/v1/stores/${largeId}/orders`, key, body: largeOrder() });
  const orderId = await firstOrder(setting, storeId, key);

  const headers = { 'x-api-key': key };
  const get = (path: string, more: object = {}) => requestBytes({ path, headers: { ...headers, ...more } });
  const send = (method: string, path: string, body: Uint8Array | string, more: object = {}) =>
    requestBytes({ method, path, headers: { ...headers, ...more }, body });
  const gzip = { 'content-encoding': 'gzip' };
  const manage = `/manage/v1/stores/${storeId}`;
  const list = `/v1/stores/${storeId}/orders/`;
  const lines = Buffer.concat([...orderPieces({ storeId, count: IMPORTED, seed: 9 })]);
  const editions = [0, 1].map((edition) => gzipSync(menuJson(MENUS[10000], edition)));
  const values = gzipSync(`{"items":[${Array.from({ length: 300_000 }, () => '{}').join()}]}`);
  const changes = ['ACCEPTED', 'READY'].map((status) =>
    send('PATCH', `/manage/v1/orders/${orderId}`, JSON.stringify({ status, is_read: status === 'READY' })),
  );
  const guess = (nth: number) => requestBytes({ path: list, headers: { 'x-api-key': `guess-${nth}` } });

  // The same list for many at once is read once.
  const unlike = Array.from({ length: 300 }, (_, nth) => `start_time=${new Date(nth * 1_000).toISOString()}`);

  return [
    {
      name: '100 bodies of 300,000 values',
      flood: of(100, [send('POST', `${manage}/orders`, values, gzip)]),
    },
    { name: '1,000 changes of one order', flood: of(1_000, changes) },
    {
      name: '500 connections that pipeline 100 reads and read nothing',
      flood: { ...of(500, [get(treePath(storeId))]), pipelined: 100, reads: false },
    },
    {
      name: '1,000 connections of another address that pipeline 500 reads and read nothing',
      flood: { ...of(1_000, [get(treePath(storeId))]), pipelined: 500, reads: false, from: '127.0.0.2' },
    },
    {
      name: '300 reads of a version without compression',
      flood: of(300, [get(`${manage}/menu/versions/1`, { 'accept-encoding': 'identity' })]),
    },
    { name: '300 reads of what can be ordered', flood: of(300, [get(`${manage}/menu/available`)]) },
    {
      name: '300 comparisons of two versions',
      flood: of(
        300,
        ['1/diff/2', '2/diff/1'].map((path) => get(`${manage}/menu/versions/${path}`)),
      ),
    },
    {
      name: '150 searches that read the store through',
      flood: of(
        150,
        unlike.map((other) => get(`${list}?customer_name=a&page_size=100&${other}`)),
      ),
    },
    {
      name: '300 pages of orders of 700 KB',
      flood: of(
        300,
        unlike.map((other) => get(`/v1/stores/${largeId}/orders/?page_size=100&${other}`)),
      ),
    },
    { name: '300 exports', flood: of(300, [get(`${manage}/orders/export`)]) },
    {
      name: '200 imports of 4,900 orders',
      flood: of(200, [
        requestBytes({
          method: 'POST',
          path: '/manage/v1/orders/import',
          headers: { ...headers, ...gzip, 'content-type': 'application/x-ndjson' },
          body: gzipSync(lines),
        }),
      ]),
    },
    {
      name: '50 publications of 10,000 items',
      flood: of(
        50,
        editions.map((body) => send('POST', treePath(storeId), body, gzip)),
      ),
    },
    {
      name: '64 guesses of keys',
      flood: of(
        64,
        Array.from({ length: 100 }, (_, nth) => guess(nth)),
      ),
    },
  ];
}

function of(connections: number, requests: readonly Uint8Array[]): Misdeed['flood'] {
  return { connections, requests };
}

function largeOrder(): object {
  return {
    customer: { name: 'Ada', phone: '+48 22 555 01 23' },
    items: [{ note: 'x'.repeat(LARGE_BYTES) }],
    price: 390,
    tax: 39,
    ready_by: '2026-11-16T12:00:00Z',
  };
}

async function firstOrder({ service }: Setting, storeId: string, key: string): Promise<string> {
  const path = `/v1/stores/${storeId}/orders/?page_size=1`;
  const { order_result_list: list } = await service.ask<{ order_result_list: { id: string }[] }>({
    path,
    key,
  });
  return list[0]?.id ?? '';
}
