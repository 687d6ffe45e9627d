import type { OrderFilter, OrderPage } from '../../domain/order/filter.js';
import type { Piece } from '../../domain/order/grams.js';
import type { OrderStatus } from '../../domain/order/status.js';
import type { Queryable } from '../database.js';
import type { ListedOrders } from './list-orders.js';
import { boundValues, countedParts, rangeValues, withStatus } from './order-counts.js';
import { orderMembers, STORE_INFO_OF_FIRST_PARAMETER } from './order-json.js';

/** More than this many found by their grams are cheaper to find by reading the list index through. */
const MOST_FOUND = 5_000;
const SAMPLED = 2_000;
const SAMPLED_FOR_PIECES = 300;

interface FoundRow {
  readonly found: string;
  readonly count: string;
  readonly list: string | null;
}

/** Finds orders by the grams of their name and phone; undefined when there are too many for that way. */
export async function findByGrams(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  grams: readonly number[],
  page: OrderPage,
): Promise<ListedOrders | undefined> {
  const [row] = await db.query<FoundRow>({
    name: `orders-grams-${filter.status ?? 'any'}`,
    text: byGrams(filter.status),
    values: [...filterValues(storeKey, filter, page), grams],
    repeatable: true,
  });
  if (row === undefined || Number(row.found) > MOST_FOUND) return undefined;
  return { count: Number(row.count), list: row.list ?? '' };
}

/** Reads the whole range of the list index, so its cost grows with the store: it is for a pool of its own. */
export async function findByReading(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  page: OrderPage,
): Promise<ListedOrders> {
  const [row] = await db.query<FoundRow>({
    name: `orders-reading-${filter.status ?? 'any'}`,
    text: byReading(filter.status),
    values: filterValues(storeKey, filter, page),
    repeatable: true,
  });
  return { count: Number(row?.count ?? 0), list: row?.list ?? '' };
}

/** What the choice between the two ways rests on. */
export interface SearchSize {
  /** How many orders the range of time holds. */
  readonly inRange: number;
  /** Which share of the store's newest orders has the texts, from 0 to 1. */
  readonly share: number;
  /** How many of a few of the newest orders have each piece. */
  readonly pieceHits: readonly number[];
}

export async function sizeUpSearch(
  db: Queryable,
  storeKey: number,
  filter: OrderFilter,
  pieces: readonly Piece[],
): Promise<SearchSize> {
  const [row] = await db.query<{ inRange: string; share: number | null; pieceHits: number[] | null }>({
    name: 'orders-size-up',
    text: SIZE_UP,
    values: [
      ...rangeValues(storeKey, filter),
      filter.name,
      filter.digits,
      pieces.map((piece) => (piece.of === 'name' ? piece.text : '')),
      pieces.map((piece) => (piece.of === 'digits' ? piece.text : '')),
    ],
    repeatable: true,
  });
  return { inRange: Number(row?.inRange ?? 0), share: row?.share ?? 0, pieceHits: row?.pieceHits ?? [] };
}

const SIZE_UP = `
  WITH sample AS MATERIALIZED (
    SELECT o.name_key, o.digits_key FROM orders o WHERE o.store_key = $1
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${SAMPLED}
  )
  SELECT (SELECT sum(p.n)::bigint FROM (${countedParts(undefined)}) p) AS "inRange", (
    SELECT avg((strpos(o.name_key, $9) > 0 AND strpos(o.digits_key, $10) > 0)::integer)::float8 FROM sample o
  ) AS share, (
    SELECT array_agg(hits.n ORDER BY piece.place)
    FROM unnest($11::text[], $12::text[]) WITH ORDINALITY AS piece (of_name, of_digits, place)
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS n FROM (SELECT * FROM sample LIMIT ${SAMPLED_FOR_PIECES}) o
      WHERE strpos(o.name_key, piece.of_name) > 0 AND strpos(o.digits_key, piece.of_digits) > 0
    ) hits
  ) AS "pieceHits"`;

function filterValues(storeKey: number, filter: OrderFilter, page: OrderPage): unknown[] {
  return [storeKey, filter.name, filter.digits, ...boundValues(filter), page.offset, page.size];
}

function byGrams(status: OrderStatus | undefined): string {
  return `
    WITH found AS MATERIALIZED (
      SELECT s.id, s.created_at FROM order_search s
      WHERE s.store_key = $1 AND s.grams @> $8::integer[] AND NOT s.is_long AND ${hasTexts('s.name', 's.digits')}
        AND s.created_at >= $4::timestamptz AND s.created_at < $5::timestamptz
      UNION ALL ${LONG}
      LIMIT ${MOST_FOUND + 1}
    ),
    hit AS MATERIALIZED (${status === undefined ? 'SELECT * FROM found' : ofStatus('found', status)})
    SELECT (SELECT count(*) FROM found) AS found, ${countAndPage()}`;
}

function byReading(status: OrderStatus | undefined): string {
  return `
    WITH hit AS MATERIALIZED (
      SELECT o.id, o.created_at FROM orders o
      WHERE o.store_key = $1 AND o.created_at >= $4::timestamptz AND o.created_at < $5::timestamptz
        ${withStatus(status)} AND ${hasTexts('o.name_key', 'o.digits_key')}
      UNION ALL ${status === undefined ? LONG : ofStatus(LONG, status)}
    )
    SELECT 0 AS found, ${countAndPage()}`;
}

/** Names too long for the list index, and for grams, are looked up beside either. */
const LONG = `(
      SELECT s.id, s.created_at FROM order_search s
      WHERE s.store_key = $1 AND s.is_long AND ${hasTexts('s.name', 's.digits')}
        AND s.created_at >= $4::timestamptz AND s.created_at < $5::timestamptz)`;

function hasTexts(name: string, digits: string): string {
  return `strpos(${name}, $2) > 0 AND strpos(${digits}, $3) > 0`;
}

function ofStatus(hits: string, status: OrderStatus): string {
  return `
    SELECT h.id, h.created_at FROM ${hits} h
    JOIN orders o ON o.store_key = $1 AND o.id = h.id ${withStatus(status)}`;
}

function countAndPage(): string {
  return `(SELECT count(*) FROM hit) AS count, (
      SELECT string_agg('{' || ${orderMembers(STORE_INFO_OF_FIRST_PARAMETER)} || '}', ',' ORDER BY o.created_at DESC, o.id DESC)
      FROM (SELECT hit.id FROM hit ORDER BY hit.created_at DESC, hit.id DESC OFFSET $6::bigint LIMIT $7::bigint) h
      CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = h.id OFFSET 0) o
    ) AS list`;
}
