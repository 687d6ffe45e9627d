import type { Bench, Figure, Part } from '../bench.js';
import { DAYS, LARGE, loadOrderStores, RARE, RARE_ORDERS, SMALL } from '../data/million-orders.js';
import { DAY_MS, FIRST_DAY } from '../data/orders.js';
import { compareRates, count, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { startReference, type Server } from '../servers/programs.js';
import type { Setting } from '../servers/service.js';

const PAGE = 20;
const DIFFERENT = 10;
const FIRST_PAGES = Array.from({ length: DIFFERENT }, (_, i) => i + 1);
const SIZES = `${count(LARGE)} against ${count(SMALL)}`;

export const orders: Part = {
  name: 'orders',
  title: 'Lists of orders at any size, and single orders',
  notes: `Lists of ${PAGE} in a store of ${count(LARGE)} orders, ${DIFFERENT} different pages in turn, and single orders. Reference: \`bench/references/bare-rows.ts\`, a bare
\`node:http\` server with one prepared statement: finished JSON text by primary key, or the count from one row and a page of such texts.
"${SIZES}" is the rate of the same lists, at 16 connections, in the large store against the small one. The rare name and
number have ${RARE_ORDERS} matches in both stores.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const { small, large } = await loadOrderStores(setting);
    const { reference, ids } = await startRows(setting, large);
    const first = await listing(setting, large, onPages(FIRST_PAGES));
    const deep = await listing(setting, large, onPages(deepPages(LARGE)));
    const single = asking(setting, ids, (id) => `/v1/orders/${id}`);
    const compare = (name: string, service: Side, connections: number) =>
      compareRates(bench, {
        name: `${name}, ${connections} connections`,
        service,
        reference: { server: reference, requests: service.requests },
        connections,
      });
    const figures = [
      await compare(`different pages of ${PAGE}`, first, 16),
      await compare(`different pages of ${PAGE}`, first, 64),
      await compare('pages nine tenths down', deep, 16),
      await compare('one order', single, 16),
      await compare('one order', single, 64),
    ];
    await reference.stop();
    return [...figures, ...(await compareSizes(bench, setting, small, large))];
  },
};

/** Queries that have full pages in both stores, by the number of orders. */
const LISTS: Readonly<Record<string, (orders: number) => string[]>> = {
  'first pages': () => onPages(FIRST_PAGES),
  'one status': () => onPages(FIRST_PAGES, '&status=FULFILLED'),
  'a time range': timeRanges,
  'pages nine tenths down': (orders) => onPages(deepPages(orders)),
  'a rare name': () => onPages([1, 2], `&customer_name=${RARE.name}`),
  'a rare phone number': () => onPages([1, 2], `&phone_number=${RARE.phone.replace(/\D/g, '')}`),
};

async function compareSizes(bench: Bench, setting: Setting, small: string, large: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [list, queries] of Object.entries(LISTS)) {
    const service = await listing(setting, large, queries(LARGE));
    const reference = await listing(setting, small, queries(SMALL));
    const name = `${SIZES}: ${list}`;
    figures.push(await compareRates(bench, { name, service, reference, connections: 16, rounds: 5 }));
  }
  return figures;
}

function onPages(pages: readonly number[], filter = ''): string[] {
  return pages.map((page) => `page_index=${page}${filter}`);
}

function deepPages(orders: number): number[] {
  return FIRST_PAGES.map((page) => Math.floor((orders / PAGE) * 0.9) - page);
}

/** A seventh of the time each, at different places; their ends fall inside hours. */
function timeRanges(): string[] {
  const length = Math.floor((DAYS * DAY_MS) / 7) + 1_234_567;
  return FIRST_PAGES.map((_, i) => {
    const from = FIRST_DAY + Math.floor((i / DIFFERENT) * (DAYS * DAY_MS - length)) + 987_654;
    return `start_time=${new Date(from).toISOString()}&end_time=${new Date(from + length).toISOString()}`;
  });
}

function asking({ service, tenant }: Setting, keys: readonly string[], path: (key: string) => string): Side {
  const headers = { 'x-api-key': tenant.key };
  return { server: service, requests: keys.map((key) => requestBytes({ path: path(key), headers })) };
}

async function listing(setting: Setting, storeId: string, queries: readonly string[]): Promise<Side> {
  for (const query of queries) await readPage(setting, storeId, query);
  return asking(setting, queries, (query) => listPath(storeId, query));
}

/** A full page; rates of pages that are not equally long could not be compared. */
async function readPage({ service, tenant }: Setting, storeId: string, query: string) {
  const path = listPath(storeId, query);
  const page = await service.ask<{ order_result_list: { id: string }[] }>(path, { key: tenant.key });
  const { order_result_list: list } = page;
  if (list.length !== PAGE) throw new Error(`${query} has ${list.length} orders, not ${PAGE}`);
  return list;
}

function listPath(storeId: string, query: string): string {
  return `/v1/stores/${storeId}/orders/?page_size=${PAGE}&${query}`;
}

/** Gives the reference the orders that are compared with it, as the JSON that the service sends. */
async function startRows(setting: Setting, storeId: string): Promise<{ reference: Server; ids: string[] }> {
  const { database } = setting;
  const rows: { place: number; id: string; json: string }[] = [];
  for (const page of [...FIRST_PAGES, ...deepPages(LARGE)]) {
    const list = await readPage(setting, storeId, `page_index=${page}`);
    const place = (page - 1) * PAGE;
    rows.push(...list.map((order, i) => ({ place: place + i, id: order.id, json: JSON.stringify(order) })));
  }
  await database.query(`CREATE TABLE bench_count AS SELECT bigint '${LARGE}' AS count`);
  await database.query('CREATE TABLE bench_rows (place integer PRIMARY KEY, id uuid UNIQUE, json text)');
  const insert = 'INSERT INTO bench_rows SELECT * FROM json_populate_recordset(NULL::bench_rows, $1)';
  await database.query(insert, [JSON.stringify(rows)]);
  const reference = await startReference('bare-rows', { connection: database.connection });
  return { reference, ids: rows.map(({ id }) => id) };
}
