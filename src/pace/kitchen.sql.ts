import type { Queryable } from '../postgres/database.js';
import { PIECE_MS, type Kitchen, type Load, type Loads, type SlotSearch } from './pace.js';

/** What the kitchen of a store has to do, from its orders. */
export function kitchenOf(db: Queryable, storeKey: number): Kitchen {
  return {
    firstFree: (search) => findFreeSlot(db, storeKey, search),
    loads: (from, to) => readLoads(db, storeKey, from, to),
  };
}

async function findFreeSlot(
  db: Queryable,
  storeKey: number,
  search: SlotSearch,
): Promise<number | undefined> {
  if (search.runs.length === 0) return undefined;
  const [row] = await db.read<{ free: Date | null }>({
    name: 'kitchen-free-slot',
    text: `SELECT find_free_slot($1, $2) AS free`,
    values: [storeKey, JSON.stringify(searchArgument(search))],
  });
  return row?.free?.getTime();
}

/** The argument of find_free_slot. */
export function searchArgument({ runs, capacity, size }: SlotSearch): object {
  return {
    // In seconds: from, to, and how far the wall clock is ahead of UTC.
    runs: runs.map(({ from, to, offset }) => [from / 1000, to / 1000, offset / 1000]),
    minutes: capacity.slot_minutes,
    most_orders: capacity.orders,
    most_items: capacity.items,
    most_prep_minutes: capacity.prep_minutes,
    items: size.items,
    prep_minutes: size.prepMinutes,
  };
}

interface LoadRow {
  readonly start: Date;
  readonly orders: number;
  readonly items: number;
  readonly prep_minutes: number;
}

/** The condition of the index orders_by_ready_by, which leaves out older orders: only with it is the index used. */
export const IN_INDEX_BY_READY_BY = "o.ready_by >= '2026-11-01T00:00:00Z'";

/** Reads the load by `ready_by`. */
async function readLoads(db: Queryable, storeKey: number, from: number, to: number): Promise<Loads> {
  const rows = await db.read<LoadRow>({
    name: 'kitchen-loads',
    text: `SELECT date_bin('${PIECE_MS / 60_000} minutes', o.ready_by, '2000-01-01T00:00:00Z') AS start,
             count(*)::integer AS orders, sum(coalesce(o.item_count, 1))::integer AS items,
             sum(coalesce(o.prep_minutes, 0))::integer AS prep_minutes
           FROM orders o
           WHERE o.store_key = $1 AND o.ready_by >= $2 AND o.ready_by < $3
             AND o.status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED') AND ${IN_INDEX_BY_READY_BY}
           GROUP BY 1`,
    values: [storeKey, new Date(from), new Date(to)],
  });
  return new Map(
    rows.map(({ start, orders, items, prep_minutes: prepMinutes }): [number, Load] => [
      start.getTime(),
      { orders, items, prepMinutes },
    ]),
  );
}
