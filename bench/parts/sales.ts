import type { Part } from '../bench.js';
import { DAY_MS, importOrders } from '../data/orders.js';
import { compareRates, count, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { createStore, type Setting } from '../servers/service.js';

const IMPORTED = 20_000;
const TIMES = 50;
const ITEMS = 100;
/** Hours are kept for 400 days. */
const DAYS = 395;
const FIRST = Math.floor(Date.now() / DAY_MS - DAYS) * DAY_MS;
const YEAR = { from: 10, to: 374 };
const DAY = { from: 150, to: 150 };

export const sales: Part = {
  name: 'sales',
  title: 'Sales of a year against those of a day',
  notes: `The rate of \`GET …/sales\` over a year of ${count(IMPORTED * TIMES)} orders of ${ITEMS} items, as a share of the rate over one of its days: 0.5 is twice
the time. ${count(IMPORTED)} orders are imported, and each counts ${TIMES} times: the counters have as many rows as those of a
million, whose orders are never read.`,
  run: async (bench) => {
    const setting = await bench.own();
    const storeId = await createStore(setting);
    const { service, tenant } = setting;
    await importOrders(service, tenant.key, { storeId, count: IMPORTED, seed: 1, days: DAYS, first: FIRST });
    await multiply(setting);
    const figures = [];
    for (const by of ['day', 'hour', 'item'])
      figures.push(
        await compareRates(bench, {
          name: `by ${by}, a year against a day`,
          service: asking(setting, storeId, by, YEAR),
          reference: asking(setting, storeId, by, DAY),
          connections: 4,
        }),
      );
    return figures;
  },
};

async function multiply({ database }: Setting): Promise<void> {
  await database.query(`UPDATE order_sales SET orders = orders * ${TIMES}, price = price * ${TIMES}`);
  await database.query(
    `INSERT INTO item_sales SELECT s.store_key, s.level, s.bucket, 'item-' || i, s.outcome, s.slot, s.units, s.price, s.tax
     FROM item_sales s CROSS JOIN generate_series(3, ${ITEMS}) AS i WHERE s.external_id = 'croissant'`,
  );
  await database.query('VACUUM ANALYZE order_sales, item_sales');
}

function asking({ service, tenant }: Setting, storeId: string, by: string, { from, to }: typeof YEAR): Side {
  const date = (day: number) => new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10);
  const path = `/manage/v1/stores/${storeId}/sales?from=${date(from)}&to=${date(to)}&by=${by}`;
  return { server: service, requests: [requestBytes({ path, headers: { 'x-api-key': tenant.key } })] };
}
