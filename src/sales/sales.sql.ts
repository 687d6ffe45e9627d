import type { Queryable } from '../postgres/database.js';
import { OUTCOMES, type Outcome } from '../orders/sales/sales.js';
import type { OrderStatus } from '../orders/status.js';

/** Days since the year 1; `to` is not among them. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

interface Buckets extends DayRange {
  readonly level: number;
}

const DAYS_A_MONTH = 32;
const HOURS_A_DAY = 24;
const NO_BUCKETS: Buckets = { level: 0, from: 0, to: 0 };

/** Whole months of 32 days, and the days around them. A day has so many buckets on its level, and a month on its own. */
function splitDays({ from, to }: DayRange, size: number, dayLevel: number, monthLevel: number): Buckets[] {
  const [first, end] = [Math.ceil(from / DAYS_A_MONTH), Math.floor(to / DAYS_A_MONTH)];
  const days = (lo: number, hi: number) => ({ level: dayLevel, from: lo * size, to: hi * size });
  if (first >= end) return [days(from, to)];
  const months = { level: monthLevel, from: first * size, to: end * size };
  return [days(from, first * DAYS_A_MONTH), months, days(end * DAYS_A_MONTH, to)];
}

/**
 * The rows of up to three ranges of buckets, as the table `c`: store $1, and what `rangeValues` gives from $2 on. Written out, because
 * the planner would join a list of ranges with all rows of the store.
 */
function rowsInRanges(table: string, columns: string, ofStores = '= $1'): string {
  const ranges = [2, 5, 8].map(
    (at) => `SELECT ${columns} FROM ${table}
      WHERE store_key ${ofStores} AND level = $${at}::smallint AND bucket >= $${at + 1}::integer AND bucket < $${at + 2}::integer`,
  );
  return `(${ranges.join(' UNION ALL ')}) c`;
}

function rangeValues([
  first = NO_BUCKETS,
  second = NO_BUCKETS,
  third = NO_BUCKETS,
]: readonly Buckets[]): number[] {
  return [first, second, third].flatMap(({ level, from, to }) => [level, from, to]);
}

/** `count` is that of orders, or of units of items. */
export type SumRow = Readonly<Record<`${Outcome}_${'count' | 'price' | 'tax'}`, number>>;

/** A column for each outcome and sum. `outcomeIs` says which rows of the table `c` have it. */
function sumColumns(counted: 'units' | 'orders', outcomeIs: (outcome: Outcome) => string): string {
  const columns = (['sold', 'cancelled', 'rejected'] as const).flatMap((outcome) =>
    Object.entries({ count: counted, price: 'price', tax: 'tax' }).map(
      ([name, column]) =>
        `coalesce(sum(c.${column}::float8) FILTER (WHERE ${outcomeIs(outcome)}), 0) AS ${outcome}_${name}`,
    ),
  );
  return columns.join(', ');
}

/** `key` is a day, an hour of the day, or a weekday. */
type TakingsRow = SumRow & { readonly key: number };

const GROUPS = { day: 2 ** 31 - 1, hour: HOURS_A_DAY, weekday: 7 } as const;

const ORDER_SUMS = sumColumns('orders', (wanted) => {
  const statuses = Object.entries(OUTCOMES).flatMap(([status, outcome]) =>
    outcome === wanted ? [`'${status}'`] : [],
  );
  return `c.status IN (${statuses.join()})`;
});

export async function readTakings(
  db: Queryable,
  storeKey: number,
  range: DayRange,
  by: keyof typeof GROUPS,
): Promise<TakingsRow[]> {
  const buckets = by === 'hour' ? splitDays(range, HOURS_A_DAY, 0, 2) : [{ level: 1, ...range }];
  // Groups are remainders: of the number of a day, or of an hour. Day 0 was a Monday.
  return db.read<TakingsRow>({
    name: 'sales-takings',
    text: `
      SELECT c.bucket % $11::integer AS key, ${ORDER_SUMS}
      FROM ${rowsInRanges('order_sales', 'bucket, status, orders, price, tax')}
      GROUP BY 1`,
    values: [storeKey, ...rangeValues(buckets), GROUPS[by]],
  });
}

interface StatusRow {
  readonly status: OrderStatus;
  readonly count: number;
  readonly price: number;
  readonly tax: number;
}

export async function readStatuses(
  db: Queryable,
  storeKey: number,
  { from, to }: DayRange,
): Promise<StatusRow[]> {
  return db.read<StatusRow>({
    name: 'sales-statuses',
    text: `
      SELECT c.status, sum(c.orders)::float8 AS count, sum(c.price)::float8 AS price, sum(c.tax)::float8 AS tax
      FROM order_sales c WHERE c.store_key = $1 AND c.level = 1 AND c.bucket >= $2 AND c.bucket < $3
      GROUP BY 1`,
    values: [storeKey, from, to],
  });
}

/** The sums of an item; `external_id` is null for those of all items, and `items` then says how many there are. */
export type ItemRow = { readonly external_id: string | null; readonly items: number } & SumRow;

const ITEM_SUMS = sumColumns('units', (outcome) => `c.outcome = '${outcome}'`);

/** The sums of all items, then of those that sold the most units, over all these stores. What orders lost again is none. */
export async function readItemSales(
  db: Queryable,
  storeKeys: readonly number[],
  range: DayRange,
  mostItems: number,
): Promise<ItemRow[]> {
  const buckets = splitDays(range, 1, 0, 1);
  const [only, ...others] = storeKeys;
  // One store by its number, so that a cluster asks its node alone.
  const isOne = others.length === 0;
  return db.read<ItemRow>({
    name: isOne ? 'sales-items' : 'sales-items-of-stores',
    text: `
      WITH c AS MATERIALIZED (
        SELECT c.external_id, c.outcome, sum(c.units) AS units, sum(c.price) AS price, sum(c.tax) AS tax
        FROM ${rowsInRanges('item_sales', 'store_key, external_id, outcome, units, price, tax', isOne ? '= $1' : '= ANY ($1::integer[])')}
        GROUP BY 1, 2 HAVING sum(c.units) <> 0
      )
      SELECT c.external_id, count(DISTINCT c.external_id)::integer AS items, ${ITEM_SUMS} FROM c
      GROUP BY GROUPING SETS ((c.external_id), ())
      ORDER BY grouping(c.external_id) DESC, sold_count DESC, sold_price DESC, c.external_id
      LIMIT $11`,
    values: [isOne ? only : storeKeys, ...rangeValues(buckets), mostItems + 1],
  });
}

/** The sums of a fact, such as `service:delivery`; `day` is null where they are those of all days. */
export type FactRow = { readonly name: string; readonly day: number | null } & SumRow;

/** The facts whose names begin so, best first; by day where that is asked for. */
export async function readFactSales(
  db: Queryable,
  storeKey: number,
  { from, to }: DayRange,
  facts: { readonly names: string; readonly areByDay: boolean; readonly most: number },
): Promise<FactRow[]> {
  return db.read<FactRow>({
    name: 'sales-facts',
    text: `
      SELECT c.external_id AS name, CASE WHEN $5 THEN c.bucket END AS day, ${ITEM_SUMS} FROM item_sales c
      WHERE c.store_key = $1 AND c.level = 2 AND c.bucket >= $2 AND c.bucket < $3 AND c.external_id ~ $4
      GROUP BY 1, 2 ORDER BY sold_price DESC, 1 LIMIT $6`,
    values: [storeKey, from, to, facts.names, facts.areByDay, facts.most],
  });
}
