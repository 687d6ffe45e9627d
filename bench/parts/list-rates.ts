import type { Bench } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { RARE_DIGITS, RARE_NAME } from '../data/orders.js';
import type { Figure, Target } from '../figure.js';
import { compareDatabaseTimes, compareRates, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { startLimit } from '../servers/limit-server.js';
import { treePath } from './menu-bytes.js';
import { pidsOf, type Setting } from './setting.js';

/** Asked for in turn: the same page for all who ask at the same moment is read once. */
interface Pages {
  readonly name: string;
  readonly queries: readonly string[];
  /** By the number of connections. */
  readonly targets: ReadonlyMap<number, Target | undefined>;
}

const FIRST = 'page_size=20';
const DIFFERENT = 10;

function pagesOf(deep: number): readonly Pages[] {
  return [
    {
      name: 'first page of 20',
      queries: [FIRST],
      targets: new Map([
        [1, { atLeast: 0.45 }],
        [16, { atLeast: 0.5 }],
        [64, { atLeast: 0.5 }],
      ]),
    },
    {
      name: `one of the first ${DIFFERENT} pages of 20`,
      queries: Array.from({ length: DIFFERENT }, (_, at) => `${FIRST}&page_index=${at + 1}`),
      targets: new Map([
        [16, undefined],
        [64, undefined],
      ]),
    },
    {
      name: `page ${deep.toLocaleString('en')} of 100`,
      queries: [`page_size=100&page_index=${deep}`],
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
  const asking = (...queries: readonly string[]): Side => ({
    port: service.port,
    pids,
    requests: queries.map((query) => requestBytes({ path: path(query), headers })),
  });
  const deep = Math.floor((orders / 100) * 0.9);

  bench.step('lists: preparing');
  await database.query('CREATE TABLE bench_count (count bigint NOT NULL)');
  await database.query('INSERT INTO bench_count VALUES ($1)', [orders]);
  await database.query('CREATE TABLE bench_listed (place integer PRIMARY KEY, json text NOT NULL)');
  for (const index of [1, 2, deep]) {
    const { order_result_list: list } = await service.ask<{ order_result_list: object[] }>({
      path: path(`page_size=100&page_index=${index}`),
      key: tenant.key,
    });
    await database.query(
      'INSERT INTO bench_listed SELECT $1::integer + r.place - 1, r.json FROM unnest($2::text[]) WITH ORDINALITY AS r (json, place)',
      [(index - 1) * 100, list.map((order) => JSON.stringify(order))],
    );
  }
  const limit = await startLimit('bare-list', { connection: database.connection });
  const figures: Figure[] = [];
  for (const { name, queries, targets } of pagesOf(deep)) {
    const mine = asking(...queries);
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
