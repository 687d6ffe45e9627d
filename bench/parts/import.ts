import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Bench, Part } from '../bench.js';
import { sendImport } from '../data/import-orders.js';
import { orderPieces } from '../data/orders.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { spreadOf } from '../measure/statistics.js';
import { withService, type Setting } from './setting.js';

const ORDERS = 100_000;
const WARM_UP_ORDERS = 20_000;
const ROUNDS = 3;
const LIMIT = fileURLToPath(new URL('../limits/raw-copy.js', import.meta.url));
/** All that an import writes to but the counts, whose few rows are the service's own affair. */
const TABLES = ['orders', 'order_search'];

export const importing: Part = {
  name: 'import',
  title: 'Import of orders',
  short: 'Import',
  notes: [
    'Newline-delimited JSON through HTTP, checked line by line, counts and search kept. Reference: `bench/limits/raw-copy.ts`,',
    'one `COPY` per table of the very rows the import has made, from memory, into tables with the same indexes and as full.',
  ],
  run: (bench) => withService(bench, (setting) => measureImports(bench, setting)),
};

async function measureImports(bench: Bench, { service, tenant, database }: Setting): Promise<Figure[]> {
  const limit = fork(LIMIT, [JSON.stringify({ connection: database.connection, tables: TABLES })]);
  await once(limit, 'message');
  const imports: number[] = [];
  const copies: number[] = [];
  // The first round warms up; the copy needs the rows of the import, so it always comes second.
  for (let round = 0; round <= ROUNDS; round += 1) {
    bench.step(`${ORDERS.toLocaleString('en')} orders, round ${round} of ${ROUNDS}`);
    const storeId = await createStore(service, tenant, `Import ${round}`);
    const count = round === 0 ? WARM_UP_ORDERS : ORDERS;
    const pieces = [...orderPieces({ storeId, count, seed: round + 1 })];
    const begun = performance.now();
    await sendImport(service, tenant.key, Readable.from(pieces), count);
    const importMs = performance.now() - begun;
    const [store] = await database.query<{ store_key: number }>(
      'SELECT store_key FROM stores WHERE id = $1',
      [storeId],
    );
    const copyMs = await copyRows(limit, store?.store_key ?? 0);
    if (round === 0) continue;
    imports.push(importMs);
    copies.push(copyMs);
  }
  limit.disconnect();
  const perSecond = (ms: number) => `${Math.round(ORDERS / (ms / 1000)).toLocaleString('en')} orders/s`;
  return [
    {
      name: `${ORDERS.toLocaleString('en')} orders`,
      unit: 'ratio',
      target: { atLeast: 0.6 },
      value: spreadOf(copies.map((ms, at) => ms / (imports[at] ?? NaN))),
      service: perSecond(spreadOf(imports).median),
      reference: perSecond(spreadOf(copies).median),
    },
  ];
}

async function copyRows(limit: ChildProcess, storeKey: number): Promise<number> {
  limit.send(storeKey);
  const [{ ms }] = (await once(limit, 'message')) as [{ ms: number }];
  return ms;
}
