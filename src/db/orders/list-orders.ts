import type { OrderFilter, OrderPage } from '../../domain/order/filter.js';
import type { OrderStatus } from '../../domain/order/status.js';
import type { Queryable } from '../database.js';
import { boundValues, counted, countedParts, rangeValues, withStatus } from './order-counts.js';
import { orderMembers, STORE_INFO_OF_FIRST_PARAMETER } from './order-json.js';

/** The exact number of orders that match, and one page of them as the text of a JSON list without its brackets. */
export interface ListedOrders {
  readonly count: number;
  readonly list: string;
}

/** Up to here it is cheaper to step over rows than to look up where the page begins. */
const STEPPED_OVER = 200;

/** Orders by time and status, newest first. One statement, so that count and page see the same moment. */
export async function listOrders(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  page: OrderPage,
): Promise<ListedOrders> {
  const isNear = page.offset <= STEPPED_OVER;
  const [row] = await db.query<{ count: string; list: string | null }>({
    name: `orders-${isNear ? 'near' : 'far'}-${filter.status ?? 'any'}`,
    text: isNear ? nearPage(filter.status) : farPage(filter.status),
    values: [...rangeValues(storeKey, filter), ...boundValues(filter), page.offset, page.size],
    repeatable: true,
  });
  return { count: Number(row?.count ?? 0), list: row?.list ?? '' };
}

/** $9 and $10 bound the range, $11 is the offset and $12 the size of the page. */
function nearPage(status: OrderStatus | undefined): string {
  return `
    SELECT (SELECT sum(p.n)::bigint FROM (${countedParts(status)}) p) AS count,
           ${listed(pageOf('*', status, '$11::bigint'))} AS list`;
}

/** Finds the hour the page begins in by running sums, coarse buckets first, then steps over rows of that hour alone. */
function farPage(status: OrderStatus | undefined): string {
  return `
    WITH part AS MATERIALIZED (${countedParts(status)}),
    chosen AS MATERIALIZED (
      SELECT p.level, p.lo, p.hi, p.newest, $11::bigint - p.before AS rest
      FROM (SELECT part.*, (sum(part.n) OVER (ORDER BY part.place) - part.n)::bigint AS before FROM part) p
      WHERE p.before <= $11::bigint AND $11::bigint < p.before + p.n
    ),
    stretch AS MATERIALIZED (${chosenBucket(2, 'SELECT lo, hi, rest FROM chosen WHERE level = 2', status)}),
    day AS MATERIALIZED (${chosenBucket(
      1,
      `SELECT bucket * 32 AS lo, bucket * 32 + 32 AS hi, rest FROM stretch
       UNION ALL SELECT lo, hi, rest FROM chosen WHERE level = 1`,
      status,
    )}),
    hour AS MATERIALIZED (${chosenBucket(
      0,
      `SELECT bucket * 24 AS lo, bucket * 24 + 24 AS hi, rest FROM day
       UNION ALL SELECT lo, hi, rest FROM chosen WHERE level = 0`,
      status,
    )}),
    spot AS MATERIALIZED (
      SELECT to_timestamp((hour.bucket + 1)::bigint * 3600 - 62135596800) AS newest, hour.rest FROM hour
      UNION ALL SELECT newest, rest FROM chosen WHERE level = -1
    )
    SELECT (SELECT sum(part.n)::bigint FROM part) AS count,
           ${listed(wholeRows(idsFromSpot(status)))} AS list`;
}

/** Of the buckets of one level in the given ranges: the one that holds the row `rest` rows down, and what then remains. */
function chosenBucket(level: number, ranges: string, status: OrderStatus | undefined): string {
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

function pageOf(columns: string, status: OrderStatus | undefined, offset: string, furtherBound = ''): string {
  return `
    SELECT ${columns} FROM orders o
    WHERE o.store_key = $1 AND o.created_at >= $9::timestamptz AND o.created_at < $10::timestamptz
      ${furtherBound} ${withStatus(status)}
    ORDER BY o.created_at DESC, o.id DESC
    OFFSET ${offset} LIMIT $12::bigint`;
}

function idsFromSpot(status: OrderStatus | undefined): string {
  return pageOf('o.id', status, '(SELECT rest FROM spot)', 'AND o.created_at < (SELECT newest FROM spot)');
}

/** The rows stepped over are read from the index alone; OFFSET 0 keeps the plan at one lookup for each row that is shown. */
function wholeRows(ids: string): string {
  return `
    SELECT o.* FROM (${ids}) page
    CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = page.id OFFSET 0) o`;
}

function listed(page: string): string {
  return `(
    SELECT string_agg('{' || ${orderMembers(STORE_INFO_OF_FIRST_PARAMETER)} || '}', ',' ORDER BY o.created_at DESC, o.id DESC)
    FROM (${page}) o)`;
}
