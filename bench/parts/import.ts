import type { Part } from '../bench.js';
import { importOrders } from '../data/orders.js';
import { count, ratioFigure } from '../measure/compare.js';
import { startProgram } from '../servers/programs.js';
import { createStore } from '../servers/service.js';

const ORDERS = 30_000;
const MANY_ORDERS = 1_000_000;
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
    const measure = async (orders: number, seed: number) => {
      const storeId = await createStore(setting);
      const importMs = await importOrders(service, tenant.key, { storeId, count: orders, seed });
      // It needs the rows of the import, so it always comes second.
      const copyMs = await rawCopy.run<number>({ storeId });
      return { imported: (orders * 1000) / importMs, copied: (orders * 1000) / copyMs };
    };
    const figureOf = async (orders: number, rounds: number) => {
      const sides: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 1; round <= rounds; round += 1) sides.push(await measure(orders, round));
      const [imported, copied] = [sides.map((side) => side.imported), sides.map((side) => side.copied)];
      return ratioFigure(`${count(orders)} orders`, imported, copied, (rate) => `${count(rate)} orders/s`);
    };
    await measure(ORDERS / 3, 0); // Warms up.
    const figures = [await figureOf(ORDERS, ROUNDS), await figureOf(MANY_ORDERS, 1)];
    await rawCopy.stop();
    return figures;
  },
};
