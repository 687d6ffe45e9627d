import type { Queryable } from '../../postgres/database.js';
import { NotFound } from '../../support/errors.js';
import {
  boundValues,
  counted,
  countedParts,
  RANGE_VALUES,
  rangeParameters,
  rangeValues,
  withStatus,
  type RangeParameters,
  type TimeBounds,
} from './counts.sql.js';
import {
  orderColumns,
  orderJson,
  STORE_ROW,
  storeJsonOf,
  TEXT_BYTES,
  toOrder,
  type OrderRow,
} from '../json.sql.js';
import { readOrders } from '../read.sql.js';
import type { OrderStatus } from '../status.js';

/** What a list of orders is narrowed to; texts are folded already, and an empty text narrows nothing. */
export interface OrderFilter extends TimeBounds {
  readonly status?: OrderStatus | undefined;
  readonly name: string;
  readonly digits: string;
}

export interface OrderPage {
  readonly offset: number;
  readonly size: number;
}

/** The exact number of orders that match, and one page of them. */
export interface ListedOrders {
  readonly count: number;
  readonly orders: readonly ListedOrder[];
}

/** `json` is undefined for a large order, which is not read together with others: see `expandLargeOrders`. */
export interface ListedOrder {
  readonly id: string;
  readonly json: string | undefined;
}

/** A row of the page, or the only row where the page has none; count and store stand in each. */
export interface ListedRow {
  readonly count: number;
  readonly store: string;
  readonly id: string | null;
  readonly items: string | null;
}

/** Up to here it is cheaper to step over rows than to look up where the page begins. */
const STEPPED_OVER = 200;
const LARGEST_PAGE = 100;

/** Orders by time and status, newest first. One statement, so that count and page see the same moment. */
export async function listByTime(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  page: OrderPage,
): Promise<ListedOrders> {
  const isRange = filter.from !== undefined || filter.to !== undefined;
  const { name, text } = statementFor(
    page.offset <= STEPPED_OVER ? 'near' : 'far',
    isRange ? 'range' : 'whole',
    filter.status === undefined ? 'any' : 'status',
  );
  const rows = await db.query<ListedRow>({
    name,
    text,
    values: [
      storeKey,
      page.offset,
      page.size,
      ...(isRange ? [...rangeValues(filter), ...boundValues(filter)] : []),
      ...(filter.status === undefined ? [] : [filter.status]),
    ],
    repeatable: true,
  });
  return toListed(rows);
}

export function toListed(rows: readonly ListedRow[]): ListedOrders {
  const [first] = rows;
  // The store was deleted after the key was checked.
  if (first === undefined) throw new NotFound('Store');
  const store = storeJsonOf(first);
  const orders = rows.flatMap((row) =>
    row.id === null ? [] : { id: row.id, json: isWhole(row) ? orderJson(toOrder(row), store) : undefined },
  );
  return { count: first.count, orders };
}

function isWhole(row: ListedRow): row is ListedRow & OrderRow {
  return row.items !== null;
}

/** More than this much text of one order is not read together with others. */
const LARGE_BYTES = 16_384;

/** A row for each order of the page, newest first; `counts` is a select of one row that has the column `count`. */
export function listRows(counts: string, page: string): string {
  return `
    SELECT counts.*, st.store, ${orderColumns('NOT o.is_large')}
    FROM (${counts}) counts
    CROSS JOIN ${STORE_ROW}
    LEFT JOIN (SELECT o.*, ${TEXT_BYTES} > ${LARGE_BYTES} AS is_large FROM (${page}) o OFFSET 0) o ON true
    ORDER BY o.created_at DESC, o.id DESC`;
}

/** The JSON of a page in chunks, its large orders read one by one, each when the chunk before it has been taken. */
export async function* expandLargeOrders(
  db: Queryable,
  storeKey: number,
  orders: readonly ListedOrder[],
): AsyncGenerator<string> {
  let separator = '';
  for (const { id, json } of orders) {
    const text = json ?? (await readOrders(db, storeKey, [id])).get(id);
    if (text === undefined) throw new Error(`Order ${id} was listed, but is not there`);
    yield separator + text;
    separator = ',';
  }
}

type Distance = 'near' | 'far';
type Span = 'whole' | 'range';
type Which = 'any' | 'status';

/** How a list is narrowed: the parameters that do it. */
interface Narrowing {
  readonly range: (RangeParameters & { readonly bounds: string }) | undefined;
  readonly status: string | undefined;
}

function statementFor(distance: Distance, span: Span, which: Which): { name: string; text: string } {
  const name = `orders-${distance}-${span}-${which}` as const;
  return { name, text: TEXTS[name] };
}

/** $1 is the store, $2 the offset and $3 the size of the page; then the range and its bounds, then the status. */
function narrowing(span: Span, which: Which): Narrowing {
  const first = 4;
  const bounds = first + RANGE_VALUES;
  const inBounds = `AND o.created_at >= $${bounds}::timestamptz AND o.created_at < $${bounds + 1}::timestamptz`;
  return {
    range: span === 'whole' ? undefined : { ...rangeParameters(first), bounds: inBounds },
    status: which === 'any' ? undefined : `$${span === 'whole' ? first : bounds + 2}`,
  };
}

/** The inner limit is a constant, so that every plan knows how few rows are wanted and walks the index in their order. */
function nearPage({ range, status }: Narrowing): string {
  return listRows(
    `SELECT sum(p.n)::bigint AS count FROM (${countedParts(range, status)}) p`,
    `SELECT * FROM (
      SELECT * FROM orders o WHERE o.store_key = $1 ${range?.bounds ?? ''} ${withStatus(status)}
      ORDER BY o.created_at DESC, o.id DESC LIMIT ${STEPPED_OVER + LARGEST_PAGE}
    ) o
    ORDER BY o.created_at DESC, o.id DESC OFFSET $2::bigint LIMIT $3::bigint`,
  );
}

/** Finds the hour the page begins in by running sums, coarse buckets first, then steps over rows of that hour alone. */
function farPage({ range, status }: Narrowing): string {
  return `
    WITH part AS MATERIALIZED (${countedParts(range, status)}),
    chosen AS MATERIALIZED (
      SELECT p.level, p.lo, p.hi, p.newest, $2::bigint - p.before AS rest
      FROM (SELECT part.*, (sum(part.n) OVER (ORDER BY part.place) - part.n)::bigint AS before FROM part) p
      WHERE p.before <= $2::bigint AND $2::bigint < p.before + p.n
    ),
    month AS MATERIALIZED (${chosenBucket(2, 'SELECT lo, hi, rest FROM chosen WHERE level = 2', status)}),
    day AS MATERIALIZED (${chosenBucket(
      1,
      `SELECT bucket * 32 AS lo, bucket * 32 + 32 AS hi, rest FROM month
       UNION ALL SELECT lo, hi, rest FROM chosen WHERE level = 1`,
      status,
    )}),
    hour AS MATERIALIZED (${chosenBucket(
      0,
      `SELECT bucket * 24 AS lo, bucket * 24 + 24 AS hi, rest FROM day
       UNION ALL SELECT lo, hi, rest FROM chosen WHERE level = 0`,
      status,
    )}),
    page_start AS MATERIALIZED (
      SELECT to_timestamp((hour.bucket + 1)::bigint * 3600 - 62135596800) AS newest, hour.rest FROM hour
      UNION ALL SELECT newest, rest FROM chosen WHERE level = -1
    )
    ${listRows('SELECT sum(part.n)::bigint AS count FROM part', wholeRows(idsFromPageStart({ range, status })))}`;
}

/** Finds the bucket of one level that contains the row `rest` rows down, and how many rows remain within it. */
function chosenBucket(level: number, ranges: string, status: string | undefined): string {
  return `
    SELECT s.bucket, s.rest - s.before AS rest
    FROM (
      SELECT b.bucket, b.n, r.rest, (sum(b.n) OVER (ORDER BY b.bucket DESC) - b.n)::bigint AS before
      FROM (${ranges}) r
      CROSS JOIN LATERAL (
        SELECT c.bucket, sum(${counted(status)})::bigint AS n
        FROM order_counts c
        WHERE c.store_key = $1 AND c.level = ${level} AND c.bucket >= r.lo AND c.bucket < r.hi
        GROUP BY c.bucket
      ) b
    ) s
    WHERE s.before <= s.rest AND s.rest < s.before + s.n`;
}

function idsFromPageStart({ range, status }: Narrowing): string {
  return `
    SELECT o.id FROM orders o
    WHERE o.store_key = $1 AND o.created_at < (SELECT newest FROM page_start) ${range?.bounds ?? ''} ${withStatus(status)}
    ORDER BY o.created_at DESC, o.id DESC
    OFFSET (SELECT rest FROM page_start) LIMIT $3::bigint`;
}

/** The rows stepped over are read from the index alone; OFFSET 0 keeps the plan at one lookup for each row that is shown. */
function wholeRows(ids: string): string {
  return `
    SELECT o.* FROM (${ids}) page
    CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = page.id OFFSET 0) o`;
}

const TEXTS = {
  'orders-near-whole-any': nearPage(narrowing('whole', 'any')),
  'orders-near-whole-status': nearPage(narrowing('whole', 'status')),
  'orders-near-range-any': nearPage(narrowing('range', 'any')),
  'orders-near-range-status': nearPage(narrowing('range', 'status')),
  'orders-far-whole-any': farPage(narrowing('whole', 'any')),
  'orders-far-whole-status': farPage(narrowing('whole', 'status')),
  'orders-far-range-any': farPage(narrowing('range', 'any')),
  'orders-far-range-status': farPage(narrowing('range', 'status')),
};
