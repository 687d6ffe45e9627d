import { DAYS_A_STRETCH, HOURS_A_DAY } from '../../domain/order/buckets.js';
import { ORDER_STATUSES } from '../../domain/order/status.js';
import { countColumn } from './order-counts.js';

const COLUMNS = ORDER_STATUSES.map(countColumn);

/**
 * Counts orders of the store $1 into the slot $2. `source` has the hour and the status of each. The sorting keeps writers
 * of one slot from blocking each other in a ring.
 */
export function insertCountsFrom(source: string): string {
  return `
    INSERT INTO order_counts (store_key, level, bucket, slot, ${COLUMNS.join(', ')})
    SELECT $1::integer, l.level, i.hour / l.hours, $2::smallint,
      ${ORDER_STATUSES.map((status) => `count(*) FILTER (WHERE i.status = '${status}')`).join(', ')}
    FROM ${source} i
    CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, ${HOURS_A_DAY}), (2::smallint, ${HOURS_A_DAY * DAYS_A_STRETCH}))
      AS l (level, hours)
    GROUP BY l.level, i.hour / l.hours
    ORDER BY 2 DESC, 3
    ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
      ${COLUMNS.map((column) => `${column} = order_counts.${column} + excluded.${column}`).join(', ')}`;
}
