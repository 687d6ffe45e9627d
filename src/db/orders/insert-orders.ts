import { DAYS_A_STRETCH, hourOf, HOURS_A_DAY } from '../../domain/order/buckets.js';
import type { NewOrder } from '../../domain/order/new-order.js';
import { ORDER_STATUSES } from '../../domain/order/status.js';
import type { Queryable } from '../database.js';
import { countColumn } from './order-counts.js';
import { orderMembers, STORE_INFO_OF_FIRST_PARAMETER } from './order-json.js';
import type { EarlierOrder } from './read-orders.js';

/** An order on its way in, with the Idempotency-Key it came under. */
export interface TakenOrder {
  readonly order: NewOrder;
  readonly clientKey: string | undefined;
}

/**
 * The columns of a staged order, in the order in which values are given, with their types. `hour` numbers the bucket
 * of the count.
 */
export const STAGED_COLUMNS = {
  id: 'uuid',
  created_at: 'timestamptz',
  ready_by: 'timestamptz',
  completed_at: 'timestamptz',
  updated_at: 'timestamptz',
  status: 'order_status',
  is_read: 'boolean',
  in_pos: 'boolean',
  price: 'bigint',
  tax: 'bigint',
  external_id: 'text',
  fingerprint: 'text',
  customer_name: 'text',
  customer_phone: 'text',
  customer_comments: 'text',
  items: 'text',
  name: 'text',
  digits: 'text',
  is_long: 'boolean',
  grams: 'text',
  hour: 'integer',
} as const;

function stagedValues(order: NewOrder): (string | number | boolean | undefined)[] {
  return [
    order.id,
    order.createdAt,
    order.readyBy,
    order.completedAt,
    order.arrivedAt,
    order.status,
    order.isRead,
    order.inPos,
    order.price,
    order.tax,
    order.externalId,
    order.fingerprint,
    order.customerName,
    order.customerPhone,
    order.customerComments,
    order.items,
    order.name,
    order.digits,
    order.isLong,
    `{${order.grams.join(',')}}`,
    hourOf(order.createdMs),
  ];
}

/**
 * Writes orders of one store in one statement and answers the JSON of those it made, by id; the others met an
 * external_id or an Idempotency-Key that was there before. Running it again makes nothing twice. A key that another
 * process used in the same moment fails the whole statement with a unique violation, and nothing is written.
 */
export async function insertOrders(
  db: Queryable,
  storeKey: number,
  slot: number,
  taken: readonly TakenOrder[],
): Promise<Map<string, string>> {
  const rows = taken.map(({ order }) => stagedValues(order));
  const columns = Object.keys(STAGED_COLUMNS).map((_, at) => rows.map((row) => row[at] ?? null));
  const made = await db.query<{ id: string; json: string }>({
    name: 'orders-insert',
    text: INSERT,
    values: [storeKey, slot, ...columns, taken.map(({ clientKey }) => clientKey ?? null)],
    repeatable: true,
  });
  return new Map(made.map((row) => [row.id, row.json]));
}

/** Keeps the Idempotency-Key for an order that came before it; false where it is kept already, for whatever order. */
export async function keepClientKey(
  db: Queryable,
  storeKey: number,
  clientKey: string,
  earlier: EarlierOrder,
): Promise<boolean> {
  const kept = await db.query({
    name: 'orders-keep-client-key',
    text: `
      INSERT INTO order_intake_keys (store_key, client_key, order_id, fingerprint, taken_at)
      VALUES ($1, $2, $3, decode($4, 'hex'), now())
      ON CONFLICT DO NOTHING
      RETURNING 1`,
    values: [storeKey, clientKey, earlier.id, earlier.fingerprint],
    repeatable: true,
  });
  return kept.length > 0;
}

/** `source` has the staged columns; rows that meet one already there are left out. Sorted, so that writers that meet cannot block each other in a ring. */
export function insertFrom(source: string): string {
  return `
    INSERT INTO orders (store_key, id, created_at, ready_by, completed_at, updated_at, status, is_read, in_pos, price,
      tax, external_id, fingerprint, customer_name, customer_phone, name_key, digits_key, customer_comments, items)
    SELECT $1::integer, i.id, i.created_at, i.ready_by, i.completed_at, i.updated_at, i.status, i.is_read, i.in_pos,
      i.price, i.tax, i.external_id, decode(i.fingerprint, 'hex'), i.customer_name, i.customer_phone,
      CASE WHEN i.is_long THEN NULL ELSE i.name END, CASE WHEN i.is_long THEN NULL ELSE i.digits END,
      i.customer_comments, i.items
    FROM ${source} i
    ORDER BY i.external_id, i.id
    ON CONFLICT DO NOTHING`;
}

export function insertSearchFrom(source: string): string {
  return `
    INSERT INTO order_search (store_key, id, created_at, is_long, name, digits, grams)
    SELECT $1::integer, i.id, i.created_at, i.is_long, i.name, i.digits, i.grams::integer[] FROM ${source} i`;
}

/** `source` has the hour and the status of each order made. $2 is the slot. */
export function insertCountsFrom(source: string): string {
  const columns = ORDER_STATUSES.map(countColumn);
  return `
    INSERT INTO order_counts (store_key, level, bucket, slot, ${columns.join(', ')})
    SELECT $1::integer, l.level, i.hour / l.hours, $2::smallint,
      ${ORDER_STATUSES.map((status) => `count(*) FILTER (WHERE i.status = '${status}')`).join(', ')}
    FROM ${source} i CROSS JOIN ${LEVELS}
    GROUP BY l.level, i.hour / l.hours
    ${ADDED_TO_COUNTS}`;
}

/** The levels of counting, each with its hours. */
export const LEVELS = `(VALUES (0::smallint, 1), (1::smallint, ${HOURS_A_DAY}), (2::smallint, ${HOURS_A_DAY * DAYS_A_STRETCH})) AS l (level, hours)`;

/** Ends an INSERT into `order_counts`: the sorting keeps writers of one slot from blocking each other in a ring. */
export const ADDED_TO_COUNTS = `
    ORDER BY 2 DESC, 3
    ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
      ${ORDER_STATUSES.map(countColumn)
        .map((column) => `${column} = order_counts.${column} + excluded.${column}`)
        .join(', ')}`;

const FIRST_COLUMN = 3;
const CLIENT_KEYS = `$${FIRST_COLUMN + Object.keys(STAGED_COLUMNS).length}::text[]`;

const INPUT = Object.entries(STAGED_COLUMNS)
  .map(([, type], at) => `$${FIRST_COLUMN + at}::${type}[]`)
  .join(', ');

// `made` waits for other writers' external_ids, `keyed` for their keys, `tallied` for their counts: always in this order.
const INSERT = `
  WITH input AS MATERIALIZED (
    SELECT * FROM unnest(${INPUT}, ${CLIENT_KEYS}) AS t (${Object.keys(STAGED_COLUMNS).join(', ')}, client_key)
  ),
  fresh AS MATERIALIZED (
    SELECT input.* FROM input
    WHERE NOT EXISTS (
      SELECT FROM order_intake_keys k WHERE k.store_key = $1 AND k.client_key = input.client_key
    )
  ),
  made AS (${insertFrom('fresh')} RETURNING *),
  arrived AS MATERIALIZED (SELECT input.* FROM input JOIN made ON made.id = input.id),
  keyed AS (
    INSERT INTO order_intake_keys (store_key, client_key, order_id, fingerprint, taken_at)
    SELECT $1::integer, i.client_key, i.id, decode(i.fingerprint, 'hex'), now()
    FROM arrived i WHERE i.client_key IS NOT NULL
    ORDER BY i.client_key
    RETURNING 1
  ),
  searched AS (${insertSearchFrom('arrived')}),
  tallied AS (${insertCountsFrom('(SELECT a.hour, a.status FROM arrived a, (SELECT count(*) FROM keyed) k)')})
  SELECT o.id, '{' || ${orderMembers(STORE_INFO_OF_FIRST_PARAMETER)} || '}' AS json FROM made o`;
