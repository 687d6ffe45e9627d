import type { Bench, Part } from '../bench.js';
import { importOrders } from '../data/import-orders.js';
import { withoutIndexes } from '../data/load-million.js';
import { createStore } from '../data/tenant.js';
import { measureListRates } from './list-rates.js';
import { measureLists, type OrderStores } from './order-lists.js';
import { measureReads } from './order-reads.js';
import { withService, type Setting } from './setting.js';

const LARGEST = 1_000_000;
const SIZES = [1_000, 100_000, LARGEST];

export const orders: Part = {
  name: 'orders',
  title: 'Orders: lists at any size, single reads',
  short: 'Orders',
  notes: [
    'Lists: time of one request, one connection, 100 rows a page, on the store of 1,000,000 against the store of 1,000, at equal',
    'numbers of rows. The names and phone numbers searched for have 50 matches in every store (`bench/data/orders.ts`).',
    'Rates of lists: reference `bench/limits/bare-list.ts`, a bare `node:http` server with one prepared statement: the count from',
    'one row, and the page from rows of finished JSON text. Polls: against a 304 of the menu of the same service.',
    'Single reads: reference `bench/limits/bare-select.ts`, a bare `node:http` server with one prepared select by primary key',
    'through `pg`, whose row is the finished JSON text.',
  ],
  run: (bench) =>
    withService(bench, async (setting) => {
      const stores = await loadStores(bench, setting);
      return [
        ...(await measureLists(bench, setting, stores)),
        ...(await measureListRates(bench, setting, stores.large, LARGEST)),
        ...(await measureReads(bench, setting, stores.large)),
      ];
    }),
};

async function loadStores(bench: Bench, { service, tenant, database }: Setting): Promise<OrderStores> {
  const [small = '', medium = '', large = ''] = await Promise.all(
    SIZES.map((count) => createStore(service, tenant, `${count} orders`)),
  );
  const ids = [small, medium, large];
  await withoutIndexes(database, async () => {
    for (const [at, count] of SIZES.entries()) {
      bench.step(`loading ${count.toLocaleString('en')} orders`);
      await importOrders(service, tenant.key, { storeId: ids[at] ?? '', count, seed: at + 1 });
    }
    bench.step('building the indexes');
  });
  return { small, medium, large };
}
