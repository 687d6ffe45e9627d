import type { Part } from '../bench.js';
import { importOrders } from '../data/orders.js';
import { count, ratioFigure } from '../measure/compare.js';
import { startProgram } from '../servers/programs.js';
import { createStore } from '../servers/service.js';

const ORDERS = 30_000;
const ROUNDS = 3;
/** Everything an import writes but the counts, which are few rows and the service's own business. */
const TABLES = ['orders', 'order_search'];

export const importing: Part = {
  name: 'import',
  title: 'Import of orders',
  notes: `Newline-delimited JSON through HTTP, checked line by line, with counts and search kept up to date. Reference:
\`bench/references/raw-copy.ts\`, one \`COPY\` per table of the same rows, from memory, into tables with the same indexes and as full.`,
  run: async (bench) => {
    const setting = await bench.own();
    const { service, tenant, database } = setting;
    const rawCopy = startProgram('references/raw-copy', { connection: database.connection, tables: TABLES });
    const imported: number[] = [];
    const copied: number[] = [];
    // The first round warms up. The copy needs the rows of the import, so it always comes second.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const storeId = await createStore(setting);
      const plan = { storeId, count: round === 0 ? ORDERS / 3 : ORDERS, seed: round + 1 };
      const importMs = await importOrders(service, tenant.key, plan);
      const copyMs = await rawCopy.run<number>({ storeId });
      if (round === 0) continue;
      imported.push(ORDERS / (importMs / 1000));
      copied.push(ORDERS / (copyMs / 1000));
    }
    await rawCopy.stop();
    const name = `${count(ORDERS)} orders`;
    return [ratioFigure(name, imported, copied, (rate) => `${count(rate)} orders/s`)];
  },
};
