import { splitRange, type TimeRange } from '../../domain/order/buckets.js';
import type { OrderFilter } from '../../domain/order/filter.js';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order/status.js';

/** The column of `order_counts` that counts a status. */
export function countColumn(status: OrderStatus): string {
  return status.toLowerCase();
}

/** The number of orders in a row `c` of `order_counts`. */
export function counted(status: OrderStatus | undefined): string {
  if (status !== undefined) return `c.${countColumn(status)}`;
  return `(${ORDER_STATUSES.map((each) => `c.${countColumn(each)}`).join(' + ')})`;
}

export function withStatus(status: OrderStatus | undefined): string {
  return status === undefined ? '' : `AND o.status = '${status}'`;
}

/**
 * The parts of a range of time, newest first, each with its number of orders (`n`): ragged ends counted in the index,
 * the rest from the buckets. Takes $1 (store) to $9, see `rangeValues`.
 */
export function countedParts(status: OrderStatus | undefined): string {
  const ragged = (place: number, from: string, to: string) => `
    SELECT ${place} AS place, -1 AS level, 0 AS lo, 0 AS hi, ${to} AS newest, count(*) AS n
    FROM orders o
    WHERE o.store_key = $1 AND o.created_at >= ${from} AND o.created_at < ${to} ${withStatus(status)}`;
  return `${ragged(0, '$5::timestamptz', '$6::timestamptz')}
    UNION ALL
    SELECT r.place::integer, r.level::integer, r.lo, r.hi, NULL, b.n
    FROM unnest($2::smallint[], $3::integer[], $4::integer[]) WITH ORDINALITY AS r (level, lo, hi, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(${counted(status)}), 0)::bigint AS n
      FROM order_counts c
      WHERE c.store_key = $1 AND c.level = r.level AND c.bucket >= r.lo AND c.bucket < r.hi
    ) b
    UNION ALL ${ragged(9, '$7::timestamptz', '$8::timestamptz')}`;
}

/** The values of $1 to $8 for `countedParts`. */
export function rangeValues(storeKey: number, filter: OrderFilter): unknown[] {
  const { top, buckets, bottom } = splitRange(filter.from, filter.to);
  return [
    storeKey,
    buckets.map((range) => range.level),
    buckets.map((range) => range.from),
    buckets.map((range) => range.to),
    ...timestamps(top),
    ...timestamps(bottom),
  ];
}

/** The bounds of a filter for comparison with a timestamptz. */
export function boundValues(filter: OrderFilter): [string, string] {
  return [
    filter.from === undefined ? '-infinity' : timestamp(filter.from),
    filter.to === undefined ? 'infinity' : timestamp(filter.to),
  ];
}

/** Bucket ends may lie past the year 9999, which only the database's own form can say. */
function timestamp(ms: number): string {
  const text = new Date(ms).toISOString();
  return text.startsWith('+') ? 'infinity' : text;
}

function timestamps(range: TimeRange): string[] {
  return range.from >= range.to ? ['infinity', '-infinity'] : [timestamp(range.from), timestamp(range.to)];
}
