import type { Queryable } from '../../postgres/database.js';
import { READ_COLUMNS } from '../json.sql.js';
import { boundValues, countedParts, rangeParameters, rangeValues, withStatus } from './counts.sql.js';
import {
  listRows,
  toListed,
  type ListedOrders,
  type ListedRow,
  type OrderFilter,
  type OrderPage,
} from './by-time.sql.js';

/** More than this many found by their grams are cheaper to find by reading the list index through. */
export const MOST_FOUND = 5_000;

type FoundRow = ListedRow & {
  readonly found: number;
};

/** Finds orders by the grams of their name and phone; undefined when there are too many for that way. */
export async function listByGrams(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  grams: readonly number[],
  page: OrderPage,
): Promise<ListedOrders | undefined> {
  const rows = await db.read<FoundRow>({
    ...(filter.status === undefined ? BY_GRAMS : BY_GRAMS_OF_STATUS),
    values: [storeKey, grams, ...filterValues(filter, page)],
  });
  return (rows[0]?.found ?? 0) > MOST_FOUND ? undefined : toListed(rows);
}

/** Reads the whole range of the list index, so its cost grows with the store: it is for a pool of its own. */
export async function listByReading(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  page: OrderPage,
): Promise<ListedOrders> {
  const rows = await db.read<ListedRow>({
    ...(filter.status === undefined ? BY_READING : BY_READING_OF_STATUS),
    values: [storeKey, ...filterValues(filter, page)],
  });
  return toListed(rows);
}

/** How many orders the range of time holds. */
export async function countToRead(db: Queryable, storeKey: number, filter: OrderFilter): Promise<number> {
  const [row] = await db.read<{ orders: number }>({
    name: 'orders-to-read',
    text: TO_READ,
    values: [storeKey, ...rangeValues(filter)],
  });
  return row?.orders ?? 0;
}

const TO_READ = `SELECT sum(p.n)::bigint AS orders FROM (${countedParts(rangeParameters(2), undefined)}) p`;

/** The texts and the page, and the status where there is one. */
function filterValues(filter: OrderFilter, page: OrderPage): unknown[] {
  const values = [filter.name, filter.digits, ...boundValues(filter), page.offset, page.size];
  return filter.status === undefined ? values : [...values, filter.status];
}

/** Names the parameters of `filterValues` when the first of them has this number. */
function filterParameters(first: number) {
  return {
    texts: (name: string, digits: string) =>
      `strpos(${name}, $${first}) > 0 AND strpos(${digits}, $${first + 1}) > 0`,
    isInRange: (created: string) =>
      `${created} >= $${first + 2}::timestamptz AND ${created} < $${first + 3}::timestamptz`,
    page: `OFFSET $${first + 4}::bigint LIMIT $${first + 5}::bigint`,
    status: `$${first + 6}`,
  };
}

type FilterParameters = ReturnType<typeof filterParameters>;

/** $1 is the store, $2 the grams. */
function byGrams(hasStatus: boolean): string {
  const filter = filterParameters(3);
  return `
    WITH found AS MATERIALIZED (
      SELECT s.id, s.created_at FROM order_search s
      WHERE s.store_key = $1 AND s.grams @> $2::integer[] AND NOT s.is_long AND ${filter.texts('s.name', 's.digits')}
        AND ${filter.isInRange('s.created_at')}
      UNION ALL ${longNames(filter)}
      LIMIT ${MOST_FOUND + 1}
    ),
    hit AS MATERIALIZED (${hasStatus ? ofStatus('found', filter) : 'SELECT * FROM found'})
    ${countAndPage(filter, '(SELECT count(*) FROM found) AS found, ')}`;
}

/** $1 is the store. */
function byReading(hasStatus: boolean): string {
  const filter = filterParameters(2);
  const long = longNames(filter);
  return `
    WITH hit AS MATERIALIZED (
      SELECT o.id, o.created_at FROM orders o
      WHERE o.store_key = $1 AND ${filter.isInRange('o.created_at')}
        ${hasStatus ? withStatus(filter.status) : ''} AND ${filter.texts('o.name_key', 'o.digits_key')}
      UNION ALL ${hasStatus ? ofStatus(long, filter) : long}
    )
    ${countAndPage(filter)}`;
}

/** Names too long for the list index, and for grams, are looked up beside either. */
function longNames(filter: FilterParameters): string {
  return `(
      SELECT s.id, s.created_at FROM order_search s
      WHERE s.store_key = $1 AND s.is_long AND ${filter.texts('s.name', 's.digits')}
        AND ${filter.isInRange('s.created_at')})`;
}

/** OFFSET 0 keeps the plan at one lookup for each hit. */
function ofStatus(hits: string, { status }: FilterParameters): string {
  return `
    SELECT h.id, h.created_at FROM ${hits} h
    CROSS JOIN LATERAL (SELECT o.status FROM orders o WHERE o.store_key = $1 AND o.id = h.id OFFSET 0) o
    WHERE true ${withStatus(status)}`;
}

function countAndPage({ page }: FilterParameters, found = ''): string {
  return listRows(
    `SELECT ${found}(SELECT count(*) FROM hit) AS count`,
    `SELECT o.* FROM (SELECT hit.id FROM hit ORDER BY hit.created_at DESC, hit.id DESC ${page}) h
     CROSS JOIN LATERAL (SELECT ${READ_COLUMNS} FROM orders o WHERE o.store_key = $1 AND o.id = h.id OFFSET 0) o`,
  );
}

const BY_GRAMS = { name: 'orders-grams-any', text: byGrams(false) };
const BY_GRAMS_OF_STATUS = { name: 'orders-grams-status', text: byGrams(true) };
const BY_READING = { name: 'orders-reading-any', text: byReading(false) };
const BY_READING_OF_STATUS = { name: 'orders-reading-status', text: byReading(true) };
