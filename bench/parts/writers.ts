import type { Part } from '../bench.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { compareRates, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { spreadOf } from '../measure/statistics.js';
import type { BenchDatabase } from '../servers/database.js';
import { pidsOf, withService, type Setting } from './setting.js';

const WRITERS = 20;
const ROUNDS = 7;
export const ORDER = JSON.stringify({
  customer: { name: 'Łukasz Nowak', phone: '+48 600 123 456' },
  items: [{ external_id: 'flat-white', name: 'Flat white', quantity: 1, price: 390, tax: 35, modifiers: [] }],
  price: 390,
  tax: 35,
  ready_by: '2030-01-01T12:00:00Z',
  created_at: '2029-12-31T23:15:00Z',
});

export const writers: Part = {
  name: 'writers',
  title: 'Many writers on one store and hour',
  short: 'Writers',
  notes: [
    `${WRITERS} connections take orders in, all created in the same hour of one store. Reference: the same service on a database`,
    'where a trigger turns every write to `order_counts` into nothing. Afterwards all orders are counted one by one: a',
    'difference to the kept counts, or a deadlock that PostgreSQL noticed, fails the run.',
  ],
  run: (bench) =>
    withService(bench, (counted) =>
      withService(bench, async (uncounted) => {
        await uncounted.database.query(SWITCH_OFF);
        const [service, reference] = [await writerSide(counted), await writerSide(uncounted)];
        const figure = await compareRates(bench, {
          name: `${WRITERS} writers`,
          service,
          reference,
          connections: WRITERS,
          expectStatus: 201,
          rounds: ROUNDS,
          target: { atLeast: 0.8 },
        });
        return [figure, await countLost(counted.database)];
      }),
    ),
};

const SWITCH_OFF = `
  CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER counts_off BEFORE INSERT ON order_counts FOR EACH ROW EXECUTE FUNCTION drop_row()`;

export async function writerSide({ service, tenant }: Setting): Promise<Side> {
  const path = `/manage/v1/stores/${await createStore(service, tenant, 'Busy')}/orders`;
  const request = requestBytes({ method: 'POST', path, headers: { 'x-api-key': tenant.key }, body: ORDER });
  return { port: service.port, pids: await pidsOf(service), requests: [request] };
}

/** Orders that are missing from, or too many in, the kept counts of any level; deadlocks count as well. */
async function countLost(database: BenchDatabase): Promise<Figure> {
  const [row] = await database.query<{ orders: string; lost: string; deadlocks: string }>(`
    WITH actual AS (SELECT count(*) AS n FROM orders),
         kept AS (
           SELECT level, sum(pending + customer_cancelled + store_cancelled + accepted + rejected + ready + fulfilled) AS n
           FROM order_counts GROUP BY level
         )
    SELECT actual.n AS orders,
           (SELECT coalesce(max(abs(kept.n - actual.n)), actual.n) FROM kept) AS lost,
           (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks
    FROM actual`);
  const lost = Number(row?.lost) + Number(row?.deadlocks);
  return {
    name: 'lost counts and deadlocks',
    unit: 'count',
    target: { atMost: 0 },
    value: spreadOf([lost]),
    service: `${Number(row?.orders).toLocaleString('en')} orders taken in`,
    reference: 'a recount',
  };
}
