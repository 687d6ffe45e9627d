import { hourOf } from '../../domain/order/buckets.js';
import type { ChangedOrder } from '../../domain/order/change.js';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order/status.js';
import type { Queryable } from '../database.js';
import { ADDED_TO_COUNTS, LEVELS } from './insert-orders.js';
import { countColumn } from './order-counts.js';
import { orderMembers, STORE_INFO_OF_FIRST_PARAMETER } from './order-json.js';
import type { StoredState } from './read-orders.js';

export interface OrderChange extends ChangedOrder {
  readonly id: string;
  readonly before: StoredState;
  readonly keyId: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Compares the revision and sets the new state, with its history and counts, in one statement. Answers the members of
 * the Order as it now is, or undefined when someone else changed the order first.
 */
export async function changeOrder(
  db: Queryable,
  storeKey: number,
  slot: number,
  { id, before, state, fields, keyId, at }: OrderChange,
): Promise<string | undefined> {
  const [row] = await db.query<{ json: string }>({
    name: 'orders-change',
    text: CHANGE,
    values: [
      storeKey,
      slot,
      id,
      before.revision,
      state.status,
      state.isRead,
      state.inPos,
      state.readyBy,
      state.completedAt ?? null,
      state.customerComments ?? null,
      keyId,
      at,
      fields.map((change) => change.field),
      fields.map((change) => (change.from === undefined ? null : JSON.stringify(change.from))),
      fields.map((change) => JSON.stringify(change.to)),
      hourOf(before.createdAt.getTime()),
      movedCounts(before.status, state.status),
    ],
  });
  return row?.json;
}

function movedCounts(from: OrderStatus, to: OrderStatus): number[] {
  return ORDER_STATUSES.map((status) => Number(status === to) - Number(status === from));
}

const CHANGE = `
  WITH changed AS (
    UPDATE orders o SET status = $5, is_read = $6, in_pos = $7, ready_by = $8, completed_at = $9,
      customer_comments = $10, revision = o.revision + 1, updated_at = $12
    WHERE o.store_key = $1 AND o.id = $3 AND o.revision = $4
    RETURNING o.*
  ),
  noted AS (
    INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, old_value, new_value)
    SELECT $1::integer, $3::uuid, changed.revision, f.field, $12::timestamptz, $11::text, f.old_value::json, f.new_value::json
    FROM changed CROSS JOIN unnest($13::text[], $14::text[], $15::text[]) AS f (field, old_value, new_value)
  ),
  tallied AS (
    INSERT INTO order_counts (store_key, level, bucket, slot, ${ORDER_STATUSES.map(countColumn).join(', ')})
    SELECT $1::integer, l.level, $16::integer / l.hours, $2::smallint,
      ${ORDER_STATUSES.map((_, at) => `($17::bigint[])[${at + 1}]`).join(', ')}
    FROM changed CROSS JOIN ${LEVELS}
    WHERE 1 = ANY ($17::bigint[])
    ${ADDED_TO_COUNTS}
  )
  SELECT ${orderMembers(STORE_INFO_OF_FIRST_PARAMETER)} AS json FROM changed o`;

/** Every change of an order, oldest first. */
export async function readHistory(db: Queryable, storeKey: number, id: string): Promise<HistoryRow[]> {
  return db.query<HistoryRow>({
    name: 'orders-history',
    text: `
      SELECT h.changed_at AS time, h.key_id, h.field, h.old_value AS "from", h.new_value AS "to"
      FROM order_history h WHERE h.store_key = $1 AND h.order_id = $2
      ORDER BY h.revision, h.field`,
    values: [storeKey, id],
    repeatable: true,
  });
}

export interface HistoryRow {
  readonly time: Date;
  readonly key_id: string;
  readonly field: string;
  readonly from: string | boolean | null;
  readonly to: string | boolean;
}
