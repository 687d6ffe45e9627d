import { IN_INDEX_BY_READY_BY } from '../../pace/kitchen.sql.js';
import type { Queryable } from '../../postgres/database.js';

/** Orders that were wanted longer ago are forgotten ones, and those for later are not in the kitchen yet. */
const SHOWN_AFTER_HOURS = 4;
const SHOWN_BEFORE_HOURS = 2;
/** More than a screen can show. */
const MOST_NUMBERS = 200;

/** The numbers that guests wait for: what is due first in the kitchen, and what has been ready for the shortest time. */
export async function readPickupNumbers(db: Queryable, storeKey: number) {
  const rows = await db.read<{ number: number; is_ready: boolean }>({
    name: 'pickup-numbers',
    text: `SELECT o.number, o.status = 'READY' AS is_ready FROM orders o
           WHERE o.store_key = $1 AND o.status IN ('ACCEPTED', 'READY') AND ${IN_INDEX_BY_READY_BY}
             AND o.ready_by >= now() - interval '${SHOWN_AFTER_HOURS} hours'
             AND o.ready_by < now() + interval '${SHOWN_BEFORE_HOURS} hours'
             AND o.number IS NOT NULL AND o.place_kind IS DISTINCT FROM 'table'
           ORDER BY is_ready DESC, CASE WHEN o.status = 'READY' THEN o.updated_at END DESC, o.ready_by, o.id
           LIMIT ${MOST_NUMBERS}`,
    values: [storeKey],
  });
  const numbersOf = (isReady: boolean) => rows.flatMap((row) => (row.is_ready === isReady ? row.number : []));
  return { preparing: numbersOf(false), ready: numbersOf(true) };
}
