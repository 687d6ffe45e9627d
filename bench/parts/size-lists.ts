import type { Bench } from '../bench.js';
import { RARE_NAME, RARE_ORDERS } from '../data/orders.js';
import type { Figure } from '../figure.js';
import { compareTimes, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { spreadOf } from '../measure/statistics.js';
import { pidsOf, type Setting } from './setting.js';

interface SizedStore {
  readonly id: string;
  readonly orders: number;
}

const PAGE = 100;
/** Only the rare customer has them, in every store; too short for the index of grams. */
const TWO_LETTERS = RARE_NAME.slice(3, 5);
const TWO_LETTER_SEARCHES = 10;
/** What a search may take before it is refused as too broad. */
const SEARCH_LIMIT_MS = 5_000;

const LISTS = [
  { name: 'first page', query: () => '', atMost: 1.5 },
  { name: 'first page of a status', query: () => '&status=FULFILLED', atMost: 1.5 },
  {
    name: 'a page nine tenths down',
    query: (orders: number) => `&page_index=${Math.floor((orders / PAGE) * 0.9)}`,
    atMost: 1.5,
  },
  { name: `a name with ${RARE_ORDERS} matches`, query: () => `&customer_name=${RARE_NAME}`, atMost: 3 },
];

/** Lists of a large store in a large database against those of a small store in the same. */
export async function measureSizedLists(
  bench: Bench,
  { service, tenant }: Setting,
  { small, large }: { readonly small: SizedStore; readonly large: SizedStore },
): Promise<Figure[]> {
  const pids = await pidsOf(service);
  const side = ({ id }: SizedStore, query: string): Side => ({
    port: service.port,
    pids,
    requests: [
      requestBytes({
        path: `/v1/stores/${id}/orders/?page_size=${PAGE}${query}`,
        headers: { 'x-api-key': tenant.key },
      }),
    ],
  });
  const figures: Figure[] = [];
  for (const { name, query, atMost } of LISTS) {
    figures.push(
      await compareTimes(bench, {
        name: `${name}, store of ${large.orders.toLocaleString('en')}`,
        service: side(large, query(large.orders)),
        reference: side(small, query(small.orders)),
        connections: 1,
        target: { atMost },
      }),
    );
  }
  bench.step('a name of two letters');
  const { latency } = await bench.load.run({
    ...side(large, `&customer_name=${TWO_LETTERS}`),
    connections: 1,
    durationMs: 20_000,
    most: TWO_LETTER_SEARCHES,
    expectStatus: 200,
  });
  figures.push({
    name: `two letters of a name, store of ${large.orders.toLocaleString('en')}`,
    unit: 'ms',
    target: { atMost: SEARCH_LIMIT_MS / 5 },
    value: { ...spreadOf([latency.median]), high: latency.max },
    service: `the store's list is read through, on connections apart; refused after ${SEARCH_LIMIT_MS} ms`,
    reference: '',
  });
  return figures;
}
