import { expect } from 'vitest';
import type { Queryable } from '../../src/postgres/database.js';
import { factsIn, OUTCOMES, soldIn } from '../../src/orders/sales/sales.js';
import type { OrderStatus } from '../../src/orders/status.js';

interface CountedOrder {
  readonly hour: number | null;
  readonly unlisted: readonly string[] | null;
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly items: string;
  readonly facts: string | null;
}

type Sums = Map<string, readonly number[]>;

/** Counts the orders of a store anew, and expects the sales on every level to say the same. */
export async function expectSalesExact(db: Queryable, storeKey: number): Promise<number> {
  const orders = await db.query<CountedOrder>({
    name: 'test-recount',
    text: `SELECT o.status, o.price, o.tax, o.items, o.facts, o.unlisted, CASE
             WHEN o.local_hour >= 0 THEN o.local_hour
             WHEN o.local_hour IS NULL AND p.is_done
               THEN floor((extract(epoch FROM o.created_at AT TIME ZONE p.timezone) + 62135596800) / 3600)::integer
             END AS hour
           FROM orders o LEFT JOIN sales_progress p ON p.store_key = $1 WHERE o.store_key = $1`,
    values: [storeKey],
  });
  expect(orders.filter(({ hour }) => hour === null)).toEqual([]);
  const takings: Sums = new Map();
  const items: Sums = new Map();
  for (const { hour: given, status, price, tax, items: text, facts, unlisted } of orders) {
    const hour = given ?? 0;
    const [day, month] = [Math.floor(hour / 24), Math.floor(hour / 768)];
    for (const bucket of [`0 ${hour}`, `1 ${day}`, `2 ${month * 24 + (hour % 24)}`])
      add(takings, `${bucket} ${status}`, [1, price, tax]);
    for (const { external_id: id, units, price: sum, tax: taxes } of factsIn({ price, tax, facts }))
      add(items, `2 ${day} ${id.slice(1)} ${OUTCOMES[status]}`, [units, sum, taxes]);
    for (const { external_id: id, units, price: sum, tax: taxes } of soldIn(text))
      for (const bucket of [`0 ${day}`, `1 ${month}`])
        add(items, `${bucket} ${unlisted?.includes(id) === true ? '' : id} ${OUTCOMES[status]}`, [
          units,
          sum,
          taxes,
        ]);
  }
  expect(await read(db, 'order_sales', 'status', 'orders', storeKey)).toEqual(sorted(takings));
  expect(await read(db, 'item_sales', `external_id || ' ' || outcome`, 'units', storeKey)).toEqual(
    sorted(items),
  );
  return orders.length;
}

function add(sums: Sums, key: string, values: readonly number[]): void {
  const before = sums.get(key) ?? [0, 0, 0];
  sums.set(
    key,
    values.map((value, i) => value + (before[i] ?? 0)),
  );
}

const sorted = (sums: Sums) => [...sums].sort(([one], [other]) => (one < other ? -1 : 1));

async function read(db: Queryable, table: string, key: string, count: string, storeKey: number) {
  const rows = await db.query<{ key: string; sums: string[] }>({
    name: `test-recount-${table}`,
    text: `SELECT level || ' ' || bucket || ' ' || ${key} AS key, ARRAY[sum(${count}), sum(price), sum(tax)] AS sums
           FROM ${table} WHERE store_key = $1 GROUP BY 1
           HAVING sum(${count}) <> 0 OR sum(price) <> 0 OR sum(tax) <> 0`,
    values: [storeKey],
  });
  return sorted(new Map(rows.map((row) => [row.key, row.sums.map(Number)])));
}
