import type { OrderStatus } from '../orders/status.js';
import type { Queryable } from '../postgres/database.js';

export interface OrderFacts {
  readonly waiting: number;
  readonly late: number;
  readonly oldest_waiting_at: Date | null;
  readonly last_order_at: Date | null;
}

/** An order that is late for longer than this is no news any more. */
const LATE_SINCE = `interval '8 days'`;
const MOST_LOOKED_AT = 1_000;

/** By status, newest first, because open orders are few; the index by `ready_by` holds those that were fulfilled as well. */
const lateOf = (status: OrderStatus) => `
      LEFT JOIN LATERAL (
        SELECT count(*) AS late FROM (
          SELECT o.ready_by FROM orders o WHERE o.store_key = c.store_key AND o.status = '${status}'
          ORDER BY o.created_at DESC LIMIT ${MOST_LOOKED_AT}) newest
        WHERE newest.ready_by >= clock_timestamp() - ${LATE_SINCE} AND newest.ready_by < clock_timestamp()) ${status} ON true`;

/**
 * What is going on in the stores, by store key: counters and a few rows from the ends of indexes, however many orders there are. A
 * store without a counter of events has had no order. It leads, because a sharded database keeps it beside the orders.
 */
export async function readOrderFacts(
  db: Queryable,
  storeKeys: readonly number[],
): Promise<Map<number, OrderFacts>> {
  const rows = await db.read<OrderFacts & { readonly store_key: number }>({
    name: 'overview-orders',
    text: `
      SELECT c.store_key, counted.waiting, least(pending.late + accepted.late, ${MOST_LOOKED_AT}) AS late,
        oldest.created_at AS oldest_waiting_at, newest.created_at AS last_order_at
      FROM event_counters c
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(n.pending), 0)::bigint AS waiting FROM order_counts n
        WHERE n.store_key = c.store_key AND n.level = 2) counted ON true ${lateOf('PENDING')} ${lateOf('ACCEPTED')}
      LEFT JOIN LATERAL (
        SELECT o.created_at FROM orders o WHERE o.store_key = c.store_key AND o.status = 'PENDING'
        ORDER BY o.created_at LIMIT 1) oldest ON true
      LEFT JOIN LATERAL (
        SELECT o.created_at FROM orders o WHERE o.store_key = c.store_key ORDER BY o.created_at DESC LIMIT 1) newest ON true
      WHERE c.store_key = ANY ($1::integer[])`,
    values: [storeKeys],
  });
  return new Map(rows.map((row) => [row.store_key, row]));
}

/** The webhooks of these merchants that do not get through, with the stores that they cover; undefined for all. */
export async function listFailingWebhooks(
  db: Queryable,
  merchantIds: readonly string[],
): Promise<{ readonly merchantId: string; readonly storeIds: readonly string[] | null }[]> {
  return db.read({
    name: 'overview-webhooks',
    text: `SELECT w.merchant_id AS "merchantId", w.store_ids AS "storeIds" FROM webhooks w
           WHERE w.merchant_id = ANY ($1::uuid[]) AND w.failing_since IS NOT NULL AND w.status <> 'removed'`,
    values: [merchantIds],
  });
}
