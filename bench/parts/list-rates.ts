import type { Bench } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { RARE_DIGITS, RARE_NAME } from '../data/orders.js';
import type { Figure, Target } from '../figure.js';
import { compareDatabaseTimes, compareRates, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { startLimit } from '../servers/limit-server.js';
import { treePath } from './menu-bytes.js';
import { pidsOf, type Setting } from './setting.js';

interface Page {
  readonly name: string;
  readonly query: string;
  readonly offset: number;
  readonly targets: ReadonlyMap<number, Target>;
}

const FIRST = 'page_size=20';

function pagesOf(orders: number): readonly Page[] {
  const deep = Math.floor((orders / 100) * 0.9);
  return [
    {
      name: 'first page of 20',
      query: FIRST,
      offset: 0,
      targets: new Map([
        [1, { atLeast: 0.45 }],
        [16, { atLeast: 0.5 }],
        [64, { atLeast: 0.5 }],
      ]),
    },
    {
      name: `page ${deep.toLocaleString('en')} of 100`,
      query: `page_size=100&page_index=${deep}`,
      offset: (deep - 1) * 100,
      targets: new Map([[16, { atLeast: 0.4 }]]),
    },
  ];
}

/** Lists of the store against a server that does nothing but read finished rows, and polls against those of a menu. */
export async function measureListRates(
  bench: Bench,
  setting: Setting,
  storeId: string,
  orders: number,
): Promise<Figure[]> {
  const { service, tenant, database } = setting;
  const pids = await pidsOf(service);
  const headers = { 'x-api-key': tenant.key };
  const path = (query: string) => `/v1/stores/${storeId}/orders/?${query}`;
  const asking = (query: string): Side => ({
    port: service.port,
    pids,
    requests: [requestBytes({ path: path(query), headers })],
  });
  const pages = pagesOf(orders);

  bench.step('lists: preparing');
  await database.query('CREATE TABLE bench_count (count bigint NOT NULL)');
  await database.query('INSERT INTO bench_count VALUES ($1)', [orders]);
  await database.query('CREATE TABLE bench_listed (place integer PRIMARY KEY, json text NOT NULL)');
  for (const { query, offset } of pages) {
    const { order_result_list: list } = await service.ask<{ order_result_list: object[] }>({
      path: path(query),
      key: tenant.key,
    });
    await database.query(
      'INSERT INTO bench_listed SELECT $1::integer + r.place - 1, r.json FROM unnest($2::text[]) WITH ORDINALITY AS r (json, place)',
      [offset, list.map((order) => JSON.stringify(order))],
    );
  }
  const limit = await startLimit('bare-list', { connection: database.connection });
  const figures: Figure[] = [];
  for (const { name, query, targets } of pages) {
    const mine = asking(query);
    for (const [connections, target] of targets) {
      figures.push(
        await compareRates(bench, {
          name: `${name}, ${connections} connection${connections === 1 ? '' : 's'}`,
          service: mine,
          reference: { port: limit.port, pids: [limit.pid], requests: mine.requests },
          connections,
          target,
        }),
      );
    }
  }
  await limit.stop();
  for (const [what, filter] of [
    ['name', `customer_name=${RARE_NAME}`],
    ['phone', `phone_number=${RARE_DIGITS}`],
  ]) {
    figures.push(
      await compareDatabaseTimes(bench, {
        name: `database time of a selective ${what} against the first page`,
        service: asking(`${FIRST}&${filter}`),
        reference: asking(FIRST),
        connections: 16,
        target: { atMost: 2.5 },
      }),
    );
  }
  return [...figures, ...(await measurePolls(bench, setting, pids, path(FIRST), storeId))];
}

/** A poll without news, against a read of a menu that has not changed. */
async function measurePolls(
  bench: Bench,
  { service, tenant }: Setting,
  pids: readonly number[],
  listPath: string,
  storeId: string,
): Promise<Figure[]> {
  await service.ask({ path: treePath(storeId), key: tenant.key, body: menuJson(MENUS[50]) });
  const polling = async (path: string): Promise<Side> => {
    const headers = { 'x-api-key': tenant.key };
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
    await answer.arrayBuffer();
    const tag = answer.headers.get('etag') ?? '';
    // As fetch has asked, so that the menu's tag is of the same coding.
    const sent = { ...headers, 'if-none-match': tag, 'accept-encoding': 'gzip, deflate' };
    return { port: service.port, pids, requests: [requestBytes({ path, headers: sent })] };
  };
  const figures: Figure[] = [];
  for (const connections of [16, 64]) {
    figures.push(
      await compareRates(bench, {
        name: `poll without news, ${connections} connections`,
        service: await polling(listPath),
        reference: await polling(treePath(storeId)),
        connections,
        expectStatus: 304,
        target: { atLeast: 0.5 },
      }),
    );
  }
  return figures;
}
