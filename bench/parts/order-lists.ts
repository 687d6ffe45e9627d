import type { Bench } from '../bench.js';
import { FIRST_DAY, RARE_DIGITS, RARE_NAME, RARE_ORDERS, SPAN_MS } from '../data/orders.js';
import type { Figure, Target } from '../figure.js';
import { compareTimes } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { pidsOf, type Setting } from './setting.js';

export interface OrderStores {
  readonly small: string;
  readonly medium: string;
  readonly large: string;
}

interface List {
  readonly name: string;
  /** Queries for a store with so many orders; they are sent in turn. */
  readonly queries: (orders: number) => readonly string[];
  readonly rows: number;
  readonly target: Target;
}

const PAGE = 100;
const DEEP_PAGE = 9_000;
const RANGES = 10;
/** A seventh of two years: enough for a full page of the small store; the ends fall inside hours. */
const RANGE_MS = Math.floor(SPAN_MS / 7) + 1_234_567;

const LISTS: readonly List[] = [
  { name: 'first page', queries: () => [''], rows: PAGE, target: { atMost: 1.5 } },
  {
    name: 'first page of a status',
    queries: () => ['&status=FULFILLED'],
    rows: PAGE,
    target: { atMost: 1.5 },
  },
  { name: 'first page of a time range', queries: ranges, rows: PAGE, target: { atMost: 1.5 } },
  {
    name: `page ${DEEP_PAGE.toLocaleString('en')} (of the small store: page 9)`,
    queries: (orders) => [`&page_index=${Math.min(DEEP_PAGE, Math.floor((orders / PAGE) * 0.9))}`],
    rows: PAGE,
    target: { atMost: 1.5 },
  },
  {
    name: `a name with ${RARE_ORDERS} matches`,
    queries: () => [`&customer_name=${RARE_NAME}`],
    rows: RARE_ORDERS,
    target: { atMost: 3 },
  },
  {
    name: `phone digits with ${RARE_ORDERS} matches`,
    queries: () => [`&phone_number=${RARE_DIGITS}`],
    rows: RARE_ORDERS,
    target: { atMost: 3 },
  },
];

function ranges(): string[] {
  return Array.from({ length: RANGES }, (_, at) => {
    const from = FIRST_DAY + Math.floor((at / RANGES) * (SPAN_MS - RANGE_MS)) + 987_654;
    return `&start_time=${new Date(from).toISOString()}&end_time=${new Date(from + RANGE_MS).toISOString()}`;
  });
}

export async function measureLists(bench: Bench, setting: Setting, stores: OrderStores): Promise<Figure[]> {
  const { service, tenant } = setting;
  const pids = await pidsOf(service);
  const side = (storeId: string, queries: readonly string[]) => ({
    port: service.port,
    pids,
    requests: queries.map((query) =>
      requestBytes({ path: listPath(storeId, query), headers: { 'x-api-key': tenant.key } }),
    ),
  });
  const figures: Figure[] = [];
  for (const { name, queries, rows, target } of LISTS) {
    const [small, medium, large] = [queries(1_000), queries(100_000), queries(1_000_000)];
    await checkRows(setting, stores.small, small, rows);
    await checkRows(setting, stores.large, large, rows);
    const reference = side(stores.small, small);
    figures.push(
      await compareTimes(bench, {
        name,
        service: side(stores.large, large),
        reference,
        connections: 1,
        target,
      }),
    );
    if (name !== 'first page') continue;
    const service100k = side(stores.medium, medium);
    const ofMedium = { name: `${name}, store of 100,000`, service: service100k, reference, connections: 1 };
    figures.push(await compareTimes(bench, ofMedium));
  }
  return figures;
}

function listPath(storeId: string, query: string): string {
  return `/v1/stores/${storeId}/orders/?page_size=${PAGE}${query}`;
}

/** Both stores must give back the same number of rows, or their times say nothing. */
async function checkRows(
  { service, tenant }: Setting,
  storeId: string,
  queries: readonly string[],
  rows: number,
) {
  for (const query of queries) {
    const path = listPath(storeId, query);
    const { order_result_list: list } = await service.ask<{ order_result_list: unknown[] }>({
      path,
      key: tenant.key,
    });
    if (list.length !== rows) throw new Error(`${path} has ${list.length} rows, not ${rows}`);
  }
}
