import { hourOf } from '../orders/list/counts.sql.js';
import { ORDER_STATUSES } from '../orders/status.js';
import type { Queryable } from '../postgres/database.js';

export interface UsageRow {
  readonly orders: number;
  readonly guest_orders: number;
  readonly events: number;
  readonly bytes: number;
}

/** Half-open, at midnight UTC. */
export interface Month {
  readonly from: Date;
  readonly to: Date;
}

const ALL = ORDER_STATUSES.map((status) => `n.${status.toLowerCase()}`).join(' + ');

/** What stores used, by store key. Orders are counted by day, however many there are; a store without events has had none. */
export async function readUsage(
  db: Queryable,
  { from, to }: Month,
  storeKeys: readonly number[],
): Promise<Map<number, UsageRow>> {
  const day = (moment: Date) => hourOf(moment.getTime()) / 24;
  const bytesAnOrder = await estimateBytesAnOrder(db);
  const rows = await db.read<UsageRow & { readonly store_key: number; readonly held: number }>({
    name: 'usage',
    text: `
      SELECT c.store_key, made.orders, guests.orders AS guest_orders, c.last_sequence AS events, held.orders AS held,
        menus.bytes
      FROM event_counters c
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(${ALL}), 0)::bigint AS orders FROM order_counts n
        WHERE n.store_key = c.store_key AND n.level = 1 AND n.bucket >= $2 AND n.bucket < $3) made ON true
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(${ALL}), 0)::bigint AS orders FROM order_counts n
        WHERE n.store_key = c.store_key AND n.level = 2) held ON true
      LEFT JOIN LATERAL (
        SELECT count(*) AS orders FROM orders o WHERE o.store_key = c.store_key AND o.place_id IS NOT NULL
          AND o.created_at >= $4 AND o.created_at < $5) guests ON true
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(octet_length(v.content)), 0)::bigint AS bytes FROM menu_versions v
        WHERE v.store_key = c.store_key) menus ON true
      WHERE c.store_key = ANY ($1::integer[])`,
    values: [storeKeys, day(from), day(to), from, to],
  });
  return new Map(
    rows.map(({ store_key: storeKey, held, bytes, ...row }) => [
      storeKey,
      { ...row, bytes: bytes + Math.round(held * bytesAnOrder) },
    ]),
  );
}

/** The tables that grow with orders. */
const GROWING = ['orders', 'order_history', 'order_search', 'order_intake_keys', 'events'];

async function estimateBytesAnOrder(db: Queryable): Promise<number> {
  const [row] = await db.read<{ bytes: number; orders: number }>({
    name: 'usage-bytes',
    text: `SELECT ${GROWING.map((table) => `pg_total_relation_size('${table}')`).join(' + ')} AS bytes,
             (SELECT coalesce(sum(${ALL}), 0)::bigint FROM order_counts n WHERE n.level = 2) AS orders`,
  });
  return row === undefined || row.orders === 0 ? 0 : row.bytes / row.orders;
}
