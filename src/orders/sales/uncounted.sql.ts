import type { Database, Transaction } from '../../postgres/database.js';
import type { OrderStatus } from '../status.js';
import { countSales } from './sales.sql.js';
import { localHourOf, soldOf } from './sales.js';

const ORDERS_AT_ONCE = 500;

/**
 * Counts the orders that no sales count yet, in small pieces: those from before 0.2.0, and those that a replica of 0.1.0 or
 * the restore of an older backup has written. Any number of processes may do so at once.
 */
export async function countUncounted(db: Database, counterShard: number): Promise<void> {
  await countPieces(
    db,
    {
      name: 'orders-uncounted-store',
      text: 'SELECT o.store_key FROM orders o WHERE o.local_hour < 0 LIMIT 1',
    },
    (tx, storeKey, timezone) => countLate(tx, storeKey, counterShard, timezone),
  );
  await countPieces(
    db,
    {
      name: 'orders-old-store',
      text: 'SELECT p.store_key FROM sales_progress p WHERE NOT p.is_done ORDER BY p.store_key LIMIT 1',
    },
    (tx, storeKey, timezone) => countOld(tx, storeKey, counterShard, timezone),
  );
}

/** `count` is false where another process has the rest. */
async function countPieces(
  db: Database,
  nextStore: { readonly name: string; readonly text: string },
  count: (tx: Transaction, storeKey: number, timezone: string) => Promise<boolean>,
): Promise<void> {
  for (;;) {
    const [found] = await db.read<{ store_key: number }>(nextStore);
    if (found === undefined) return;
    const isMine = await db.transaction(async (tx) => {
      const [store] = await tx.query<{ timezone: string | null }>({
        name: 'orders-uncounted-timezone',
        text: 'SELECT s.timezone FROM stores s WHERE s.store_key = $1',
        values: [found.store_key],
      });
      return count(tx, found.store_key, store?.timezone ?? 'UTC');
    });
    if (!isMine) return;
  }
}

interface UncountedRow {
  readonly id: string;
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly items: string;
  readonly facts: string | null;
  readonly unlisted: readonly string[] | null;
}

const toSale = (order: UncountedRow, hour: number) => ({
  ...order,
  hour,
  sold: soldOf(order),
  unlisted: order.unlisted ?? undefined,
});

/**
 * Few orders, whose rows get their hour. Locked by id, as whoever changes them does. The version that wrote them knew no attention
 * either: the clock is to look at those that are open, and works out when they need it.
 */
async function countLate(
  tx: Transaction,
  storeKey: number,
  counterShard: number,
  timezone: string,
): Promise<boolean> {
  const orders = await tx.query<UncountedRow & { created_at: Date }>({
    name: 'orders-uncounted',
    text: `SELECT o.id, o.created_at, o.status, o.price, o.tax, o.items, o.facts, o.unlisted FROM orders o
           WHERE o.store_key = $1 AND o.local_hour < 0 ORDER BY o.id LIMIT ${ORDERS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
    values: [storeKey],
  });
  const sales = orders.map((order) => toSale(order, localHourOf(order.created_at.getTime(), timezone)));
  await tx.query({
    name: 'orders-set-local-hours',
    text: `UPDATE orders o SET local_hour = h.hour, attention_at = CASE WHEN o.status IN ('PENDING', 'ACCEPTED', 'READY')
             THEN coalesce(o.attention_at, $4) ELSE o.attention_at END
           FROM unnest($2::uuid[], $3::integer[]) AS h (id, hour) WHERE o.store_key = $1 AND o.id = h.id`,
    values: [storeKey, orders.map(({ id }) => id), sales.map(({ hour }) => hour), new Date()],
  });
  await countSales(tx, storeKey, counterShard, sales);
  return orders.length > 0;
}

/**
 * The next orders from before 0.2.0, newest first. Their rows stay as they are, because writing each again would leave the table
 * half as large again. Whoever changes one waits for its lock, and then sees how far the counting has come. Their hours are
 * worked out by the database, as change_orders does later.
 */
async function countOld(
  tx: Transaction,
  storeKey: number,
  counterShard: number,
  ofStore: string,
): Promise<boolean> {
  const [progress] = await tx.query<{ timezone: string; counted_from: string; counted_id: string }>({
    name: 'sales-progress-lock',
    text: `SELECT p.timezone, p.counted_from::text, p.counted_id FROM sales_progress p
           WHERE p.store_key = $1 AND NOT p.is_done FOR UPDATE SKIP LOCKED`,
    values: [storeKey],
  });
  if (progress === undefined) return false;
  const { counted_from: countedFrom, counted_id: countedId } = progress;
  const timezone = countedFrom === 'infinity' ? await knownTimezone(tx, ofStore) : progress.timezone;
  const found = await tx.query<{ id: string; created_at: string }>({
    name: 'orders-old',
    text: `SELECT o.id, o.created_at::text FROM orders o
           WHERE o.store_key = $1 AND o.local_hour IS NULL AND (o.created_at, o.id) < ($2::timestamptz, $3::uuid)
           ORDER BY o.created_at DESC, o.id DESC LIMIT ${ORDERS_AT_ONCE}`,
    values: [storeKey, countedFrom, countedId],
  });
  const orders = await tx.query<UncountedRow & { hour: number }>({
    name: 'orders-old-lock',
    text: `SELECT o.id, o.status, o.price, o.tax, o.items, o.facts, o.unlisted,
             floor((extract(epoch FROM o.created_at AT TIME ZONE $3) + 62135596800) / 3600)::integer AS hour
           FROM orders o WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[]) ORDER BY o.id FOR UPDATE`,
    values: [storeKey, found.map(({ id }) => id), timezone],
  });
  await countSales(
    tx,
    storeKey,
    counterShard,
    orders.map((order) => toSale(order, order.hour)),
  );
  const last = found.at(-1);
  await tx.query({
    name: 'sales-progress-move',
    text: `UPDATE sales_progress p SET timezone = $2, counted_from = $3::timestamptz, counted_id = $4, is_done = $5
           WHERE p.store_key = $1`,
    values: [
      storeKey,
      timezone,
      last?.created_at ?? countedFrom,
      last?.id ?? countedId,
      found.length < ORDERS_AT_ONCE,
    ],
  });
  return true;
}

/** Every name that Node knows, PostgreSQL should know too; a change of an order must not fail where it does not. */
async function knownTimezone(tx: Transaction, timezone: string): Promise<string> {
  const [row] = await tx.query<{ is_known: boolean }>({
    name: 'sales-known-timezone',
    text: 'SELECT EXISTS (SELECT FROM pg_timezone_names n WHERE n.name = $1) AS is_known',
    values: [timezone],
  });
  return row?.is_known === true ? timezone : 'UTC';
}
