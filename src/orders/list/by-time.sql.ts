import type { Queryable } from '../../postgres/database.js';
import {
  boundValues,
  counted,
  countedParts,
  PAST_EVERY_BUCKET,
  RANGE_VALUES,
  rangeParameters,
  rangeValues,
  withStatus,
  type RangeParameters,
  type TimeBounds,
} from './counts.sql.js';
import {
  instant,
  orderColumns,
  orderJson,
  READ_COLUMNS,
  TEXT_BYTES,
  toOrder,
  type OrderRow,
  type ShownOrder,
} from '../json.sql.js';
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

/** `shown` is undefined for a large order, which is not read together with others: see `expandLargeOrders`. */
export interface ListedOrder {
  readonly id: string;
  readonly createdAt: string;
  readonly shown: ShownOrder | undefined;
}

/** A row of the page, or the only row where the page has none; the count stands in each. */
export type ListedRow = { readonly count: number } & (
  (Omit<OrderRow, 'items'> & { readonly items: string | null }) | { readonly id: null }
);

/** Up to here it is cheaper to step over rows of the index than to look up where the page begins. */
const STEPPED_OVER = 700;
const LARGEST_PAGE = 100;

/** Orders by time and status, newest first. One statement, so that count and page see the same moment. */
export async function listByTime(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  page: OrderPage,
): Promise<ListedOrders> {
  const isRange = filter.from !== undefined || filter.to !== undefined;
  const statements = STATEMENTS[page.offset <= STEPPED_OVER ? 'near' : 'far'][isRange ? 'range' : 'whole'];
  const rows = await db.read<ListedRow>({
    ...statements[filter.status === undefined ? 'any' : 'status'],
    values: [
      storeKey,
      page.offset,
      page.size,
      ...(isRange ? [...rangeValues(filter), ...boundValues(filter)] : []),
      ...(filter.status === undefined ? [] : [filter.status]),
    ],
  });
  return toListed(rows);
}

export function toListed(rows: readonly ListedRow[]): ListedOrders {
  const orders = rows.flatMap((row) => (row.id === null ? [] : toListedOrder(row)));
  return { count: rows[0]?.count ?? 0, orders: orders.sort(newestFirst) };
}

function toListedOrder(row: Exclude<ListedRow, { id: null }>): ListedOrder {
  if (!isWhole(row)) return { id: row.id, createdAt: instant(row.created_at), shown: undefined };
  const shown = toOrder(row);
  return { id: row.id, createdAt: shown.createdAt, shown };
}

function isWhole(row: { readonly items: string | null }): row is OrderRow {
  return row.items !== null;
}

/** SQL promises no order for rows of a join, and sorting these few there takes a sixth of the statement's time. */
function newestFirst(a: ListedOrder, b: ListedOrder): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

/** More than this much text of one order is not read together with others. */
const LARGE_BYTES = 16_384;

/** A row for each order of the page; `counts` is a select of one row that has the column `count`. */
export function listRows(counts: string, page: string): string {
  return `
    SELECT counts.*, ${orderColumns('NOT o.is_large')}
    FROM (${counts}) counts
    LEFT JOIN (SELECT o.*, ${TEXT_BYTES} > ${LARGE_BYTES} AS is_large FROM (${page}) o OFFSET 0) o ON true`;
}

/** The JSON of a page in chunks, its large orders read one by one, each when the chunk before it has been taken. */
export async function* expandLargeOrders(
  orders: readonly ListedOrder[],
  storeText: string,
  readOrder: (id: string) => Promise<string | undefined>,
): AsyncGenerator<string> {
  let separator = '';
  for (const { id, shown } of orders) {
    const text = shown === undefined ? await readOrder(id) : orderJson(shown, storeText);
    if (text === undefined) throw new Error(`Order ${id} was listed, but is not there`);
    yield separator + text;
    separator = ',';
  }
}

type Span = 'whole' | 'range';
type Which = 'any' | 'status';

interface Narrowing {
  readonly range: (RangeParameters & { readonly bounds: string }) | undefined;
  readonly status: string | undefined;
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

function nearPage(narrowing: Narrowing): string {
  return listRows(
    `SELECT sum(p.n)::bigint AS count FROM (${countedParts(narrowing.range, narrowing.status)}) p`,
    pageFrom(narrowing, { before: '', most: `LIMIT ${STEPPED_OVER + 1}`, rest: '$2::bigint' }),
  );
}

/** Finds the hour the page begins in by running sums, coarse buckets first, then steps over rows of that hour alone. */
function farPage({ range, status }: Narrowing): string {
  const counts = countedParts(range, status);
  const page = pageFrom(
    { range, status },
    {
      before: 'AND o.created_at < (SELECT newest FROM page_start)',
      most: '',
      rest: '(SELECT rest FROM page_start)',
    },
  );
  if (range === undefined) {
    return `
    WITH page_start AS MATERIALIZED (
      SELECT ${END_OF_HOUR} AS newest, hour.rest
      FROM (${bucketOf(2, { lo: '0', hi: String(PAST_EVERY_BUCKET), rest: '$2::bigint' }, status)}) month
      CROSS JOIN LATERAL (${bucketOf(1, within('month', 32), status)}) day
      CROSS JOIN LATERAL (${bucketOf(0, within('day', 24), status)}) hour
    )
    ${listRows(`SELECT p.n AS count FROM (${counts}) p`, page)}`;
  }
  const bucketIn = (level: number, ranges: string) => `
    SELECT b.bucket, b.rest FROM (${ranges}) r
    CROSS JOIN LATERAL (${bucketOf(level, { lo: 'r.lo', hi: 'r.hi', rest: 'r.rest' }, status)}) b`;
  return `
    WITH part AS MATERIALIZED (${counts}),
    chosen AS MATERIALIZED (
      SELECT p.level, p.lo, p.hi, p.newest, $2::bigint - p.before AS rest
      FROM (SELECT part.*, (sum(part.n) OVER (ORDER BY part.place) - part.n)::bigint AS before FROM part) p
      WHERE p.before <= $2::bigint AND $2::bigint < p.before + p.n
    ),
    month AS MATERIALIZED (${bucketIn(2, 'SELECT lo, hi, rest FROM chosen WHERE level = 2')}),
    day AS MATERIALIZED (${bucketIn(
      1,
      `SELECT bucket * 32 AS lo, bucket * 32 + 32 AS hi, rest FROM month
       UNION ALL SELECT lo, hi, rest FROM chosen WHERE level = 1`,
    )}),
    hour AS MATERIALIZED (${bucketIn(
      0,
      `SELECT bucket * 24 AS lo, bucket * 24 + 24 AS hi, rest FROM day
       UNION ALL SELECT lo, hi, rest FROM chosen WHERE level = 0`,
    )}),
    page_start AS MATERIALIZED (
      SELECT ${END_OF_HOUR} AS newest, hour.rest FROM hour
      UNION ALL SELECT newest, rest FROM chosen WHERE level = -1
    )
    ${listRows('SELECT sum(part.n)::bigint AS count FROM part', page)}`;
}

const END_OF_HOUR = 'to_timestamp((hour.bucket + 1)::bigint * 3600 - 62135596800)';

/** A range of buckets, and how many rows of it stand before the page. */
interface Buckets {
  readonly lo: string;
  readonly hi: string;
  readonly rest: string;
}

/** The finer buckets of the one that was found. */
function within(bucket: string, parts: number): Buckets {
  return {
    lo: `${bucket}.bucket * ${parts}`,
    hi: `${bucket}.bucket * ${parts} + ${parts}`,
    rest: `${bucket}.rest`,
  };
}

/** Finds the bucket of one level that contains the row `rest` rows down, and how many rows remain within it. */
function bucketOf(level: number, { lo, hi, rest }: Buckets, status: string | undefined): string {
  return `
    SELECT s.bucket, ${rest} - (s.through - s.n)::bigint AS rest
    FROM (
      SELECT c.bucket, sum(${counted(status)}) AS n, sum(sum(${counted(status)})) OVER (ORDER BY c.bucket DESC) AS through
      FROM order_counts c
      WHERE c.store_key = $1 AND c.level = ${level} AND c.bucket >= ${lo} AND c.bucket < ${hi}
      GROUP BY c.bucket
      ORDER BY c.bucket DESC
    ) s
    WHERE s.through > ${rest}
    ORDER BY s.bucket DESC LIMIT 1`;
}

/** Where the rows that are stepped over begin, the most that there can be, and how many they are. */
interface Steps {
  readonly before: string;
  readonly most: string;
  readonly rest: string;
}

/**
 * The rows stepped over are read from the index alone. The inner limits are constants, so that every plan knows how few rows are
 * wanted and walks the index in their order.
 */
function pageFrom({ range, status }: Narrowing, { before, most, rest }: Steps): string {
  const narrowed = `${range?.bounds ?? ''} ${withStatus(status)}`;
  return `
    SELECT o.* FROM (
      SELECT * FROM (
        SELECT o.created_at, o.id FROM orders o
        WHERE o.store_key = $1 ${before} ${narrowed}
        ORDER BY o.created_at DESC, o.id DESC ${most}
      ) o
      ORDER BY o.created_at DESC, o.id DESC OFFSET ${rest} LIMIT 1
    ) first
    CROSS JOIN LATERAL (
      SELECT * FROM (
        SELECT ${READ_COLUMNS} FROM orders o
        WHERE o.store_key = $1 AND (o.created_at, o.id) <= (first.created_at, first.id) ${narrowed}
        ORDER BY o.created_at DESC, o.id DESC LIMIT ${LARGEST_PAGE}
      ) o
      ORDER BY o.created_at DESC, o.id DESC LIMIT $3::bigint
    ) o`;
}

const STATEMENTS = { near: statementsOf('near', nearPage), far: statementsOf('far', farPage) };

function statementsOf(distance: string, pageOf: (narrowing: Narrowing) => string) {
  const statement = (span: Span, which: Which) => ({
    name: `orders-${distance}-${span}-${which}`,
    text: pageOf(narrowing(span, which)),
  });
  const ofSpan = (span: Span) => ({ any: statement(span, 'any'), status: statement(span, 'status') });
  return { whole: ofSpan('whole'), range: ofSpan('range') };
}
