import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Bench, Figure, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { importOrders, ORDER, orderChunks } from '../data/orders.js';
import { spreadOf } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { startProgram } from '../servers/programs.js';
import { createStore, publishMenu, takeInOrder, treePath, type Setting } from '../servers/service.js';

const CONNECTIONS = 4;
/** A second without a processor, as other programs of the machine may cause it, is not what a neighbour does. */
const ROUNDS = 3;
const DURATION_MS = 1_500;
/** Until all connections of the flood are open: a busy process takes them one by one. */
const SETTLE_MS = 3_000;
/** What nobody notices: a publication is waited for by somebody who has just pressed a button, the rest by programs and pages. */
const ALWAYS_GOOD_MS = 100;
const GOOD_PUBLICATION_MS = 500;
const WORSE_AT_MOST = 5;

export const neighbours: Part = {
  name: 'neighbours',
  title: 'What a merchant notices of a busy neighbour',
  notes: `The slowest hundredth (p99) of a quiet merchant's reads of an order, lists, publications and orders taken in, ${CONNECTIONS} connections each,
while another merchant does what the line says. Each may take ${WORSE_AT_MOST} times as long as without, or ${ALWAYS_GOOD_MS} ms (a publication
${GOOD_PUBLICATION_MS} ms), whichever is longer; none may fail.
The figure is the worst of the four as a share of that, once all connections of the neighbour are open, in the median of ${ROUNDS} rounds.
Everything shares the processors of one machine.
The 50 publications have no target: with them two cores have nothing left to give. \`COMANDA_MENU_POSTS_PER_MINUTE\` bounds how many a store may send.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const { port } = setting.service;
    const calls = await prepareCalls(setting);
    const floods = await prepareFloods(await bench.shared());
    await timeCalls(bench, port, calls);
    const quiet = medians(await timeRounds(bench, port, calls));
    const allowed = quiet.map(({ name, p99 }) =>
      Math.max(name === 'publications' ? GOOD_PUBLICATION_MS : ALWAYS_GOOD_MS, WORSE_AT_MOST * p99),
    );
    const figures: Figure[] = [];
    for (const { name, ...flood } of floods) {
      const flooding = startProgram('measure/flood-process');
      await flooding.run({ ...flood, port });
      await delay(SETTLE_MS);
      const beside = await timeRounds(bench, port, calls);
      await flooding.stop();
      await delay(SETTLE_MS / 10);
      const worst = beside.map((times) => Math.max(...times.map(({ p99 }, i) => p99 / (allowed[i] ?? NaN))));
      const failed = worst.includes(Infinity);
      const [service, reference] = [describe(medians(beside)), describe(quiet)];
      figures.push({ name, unit: 'ratio', value: spreadOf(failed ? [Infinity] : worst), service, reference });
    }
    return figures;
  },
};

/** What the quiet merchant does, on a few connections, or its neighbour on many. */
interface Call {
  readonly name: string;
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  readonly expectStatus?: number;
}

interface Timed {
  readonly name: string;
  /** Milliseconds; infinite where a request failed. */
  readonly p99: number;
}

async function timeCalls(bench: Bench, port: number, calls: readonly Call[]): Promise<Timed[]> {
  const times: Timed[] = [];
  for (const { name, ...call } of calls) {
    const timed = bench.load.run({ ...call, port, durationMs: DURATION_MS });
    const failed = (error: unknown) => ({ name: `${name} failed (${String(error)})`, p99: Infinity });
    times.push(await timed.then(({ latency }) => ({ name, p99: latency.p99 }), failed));
  }
  return times;
}

async function timeRounds(bench: Bench, port: number, calls: readonly Call[]): Promise<Timed[][]> {
  const rounds: Timed[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timeCalls(bench, port, calls));
  return rounds;
}

/** A call that failed once has failed. */
function medians(rounds: readonly (readonly Timed[])[]): Timed[] {
  return (rounds[0] ?? []).map(({ name }, i) => {
    const failed = rounds.find((times) => times[i]?.p99 === Infinity)?.[i];
    return failed ?? { name, p99: spreadOf(rounds.map((times) => times[i]?.p99 ?? NaN)).median };
  });
}

function describe(times: readonly Timed[]): string {
  return times.map(({ name, p99 }) => (p99 === Infinity ? name : `${name} ${p99.toFixed(1)} ms`)).join(', ');
}

async function prepareCalls(setting: Setting): Promise<Call[]> {
  const headers = { 'x-api-key': setting.tenant.key };
  const menus = [0, 1].map((edition) => menuJson(MENUS[50], edition));
  const storeId = await publishMenu(setting, menus[0] ?? '');
  const orderId = await takeInOrder(setting, storeId, ORDER);
  const intake = { path: `/manage/v1/stores/${storeId}/orders`, headers, body: JSON.stringify(ORDER) };
  const posts = menus.map((body) => requestBytes({ path: treePath(storeId), headers, body }));
  const call = (name: string, ...requests: readonly Buffer[]) => ({
    name,
    requests,
    connections: CONNECTIONS,
  });
  return [
    call('reads', requestBytes({ path: `/v1/orders/${orderId}`, headers })),
    call('lists', requestBytes({ path: `/v1/stores/${storeId}/orders/`, headers })),
    call('publications', ...posts),
    { ...call('orders', requestBytes(intake)), expectStatus: 201 },
  ];
}

async function prepareFloods(setting: Setting): Promise<Call[]> {
  const { service, tenant } = setting;
  const { key } = tenant;
  const menus = [0, 1].map((edition) => menuJson(MENUS[10000], edition));
  const storeId = await publishMenu(setting, menus[0] ?? '');
  await service.ask(treePath(storeId), { key, body: menus[0]?.replaceAll('"price":', '"price":1') });
  const orderId = await takeInOrder(setting, storeId, ORDER);
  await importOrders(service, key, { storeId, count: 20_000, seed: 7 });
  const largeId = await createStore(setting);
  const large = { ...ORDER, items: [{ note: 'x'.repeat(700_000) }] };
  for (let i = 0; i < 40; i += 1) await takeInOrder(setting, largeId, large);

  const headers = { 'x-api-key': key };
  const manage = `/manage/v1/stores/${storeId}`;
  const list = `/v1/stores/${storeId}/orders/`;
  const get = (path: string, more = {}) => requestBytes({ path, headers: { ...headers, ...more } });
  const post = (path: string, body: string | Buffer, type = 'application/json') => {
    const more = { 'content-encoding': 'gzip', 'content-type': type };
    return requestBytes({ path, headers: { ...headers, ...more }, body: gzipSync(body) });
  };
  const change = (status: string) => {
    const body = JSON.stringify({ status, is_read: status === 'READY' });
    return requestBytes({ method: 'PATCH', path: `/manage/v1/orders/${orderId}`, headers, body });
  };
  const times = Array.from({ length: 300 }, (_, i) => `start_time=${new Date(i * 1_000).toISOString()}`);
  const values = `{"items":[${Array.from({ length: 300_000 }, () => '{}').join()}]}`;
  const lines = Buffer.concat([...orderChunks({ storeId, count: 4_900, seed: 9 })]);
  const flood = (connections: number, name: string, ...requests: readonly Buffer[]): Call => {
    return { name, connections, requests };
  };
  const plainVersion = get(`${manage}/menu/versions/1`, { 'accept-encoding': 'identity' });
  const diffs = ['1/diff/2', '2/diff/1'].map((diff) => get(`${manage}/menu/versions/${diff}`));
  const searches = times.map((time) => get(`${list}?customer_name=a&page_size=100&${time}`));
  const largePages = times.map((time) => get(`/v1/stores/${largeId}/orders/?page_size=100&${time}`));
  const guesses = times.map((_, i) => get(list, { 'x-api-key': `guess-${i}` }));
  const guests = await prepareGuests(setting, 500);
  const imports = post('/manage/v1/orders/import', lines, 'application/x-ndjson');
  return [
    flood(100, '100 bodies of 300,000 values', post(`${manage}/orders`, values)),
    flood(1_000, '1,000 changes of one order', change('ACCEPTED'), change('READY')),
    flood(300, '300 reads of a version without compression', plainVersion),
    flood(300, '300 reads of what can be ordered', get(`${manage}/menu/available`)),
    flood(300, '300 comparisons of two versions', ...diffs),
    flood(150, '150 searches that read the whole store', ...searches),
    flood(300, '300 pages of orders of 700 KB', ...largePages),
    flood(300, '300 exports', get(`${manage}/orders/export`)),
    flood(200, '200 imports of 4,900 orders', imports),
    flood(50, '50 publications of 10,000 items', ...menus.map((menu) => post(treePath(storeId), menu))),
    flood(64, '64 clients with wrong keys', ...guesses),
    flood(500, '500 guests of one store', ...guests),
  ];
}

interface Total {
  readonly price: number;
  readonly tax: number;
}

/** What guests do at as many tables: look at the menu, ask for the price, order, each with a rate limit of its own. */
async function prepareGuests(setting: Setting, tables: number): Promise<Buffer[]> {
  const { service } = setting;
  // Served around the clock.
  const menu = menuJson(MENUS[250]).replace(/"availability":\[.*?\]\}\]/, '"availability":[]');
  const storeId = await publishMenu(setting, menu);
  const manage = `/manage/v1/stores/${storeId}`;
  await service.ask(manage, {
    method: 'PATCH',
    body: { guest: { enabled: true, name: 'none', phone: 'none' } },
  });
  const items = [{ external_id: 'item-0', quantity: 1 }];
  const requests: Buffer[] = [];
  let total: Total | undefined;
  for (let table = 1; table <= tables; table += 1) {
    const body = { label: `Table ${table}`, kind: 'table' };
    const { code } = await service.ask<{ code: string }>(`${manage}/places`, { body });
    const place = `/guest/v1/places/${code}`;
    total ??= await service.ask<Total>(`${place}/quote`, { body: { items } });
    const order = { items, expected_total: { price: total.price, tax: total.tax } };
    requests.push(
      requestBytes({ path: place, headers: {} }),
      requestBytes({ path: `${place}/menu`, headers: { 'accept-encoding': 'gzip' } }),
      requestBytes({ path: `${place}/quote`, headers: {}, body: JSON.stringify({ items }) }),
      requestBytes({
        path: `${place}/orders`,
        headers: { 'idempotency-key': `table-${table}` },
        body: JSON.stringify(order),
      }),
    );
  }
  return requests;
}
