import { DAYS_A_STRETCH, HOURS_A_DAY } from '../../domain/order/count-buckets.js';
import { ORDER_STATUSES } from '../../domain/order/status.js';
import { countColumn } from './order-counts.js';

const COLUMNS = ORDER_STATUSES.map(countColumn);

/**
 * Counts orders into the slot $1. `source` has the store, the hour and the status of each. The sorting keeps writers of one
 * slot from blocking each other in a ring.
 */
export function insertCountsFrom(source: string): string {
  return `
    INSERT INTO order_counts (store_key, level, bucket, slot, ${COLUMNS.join(', ')})
    SELECT i.store_key, l.level, i.hour / l.hours, $1::smallint,
      ${ORDER_STATUSES.map((status) => `count(*) FILTER (WHERE i.status = '${status}')`).join(', ')}
    FROM ${source} i
    CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, ${HOURS_A_DAY}), (2::smallint, ${HOURS_A_DAY * DAYS_A_STRETCH}))
      AS l (level, hours)
    GROUP BY i.store_key, l.level, i.hour / l.hours
    ORDER BY 1, 2 DESC, 3
    ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
      ${COLUMNS.map((column) => `${column} = order_counts.${column} + excluded.${column}`).join(', ')}`;
}
