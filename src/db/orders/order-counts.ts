import { DAYS_A_STRETCH, HOURS_A_DAY, splitRange, type TimeRange } from '../../domain/order/count-buckets.js';
import type { OrderFilter } from '../../domain/order/filter.js';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order/status.js';

/** The column of `order_counts` that counts a status. */
function countColumn(status: OrderStatus): string {
  return status.toLowerCase();
}

/**
 * The number of orders in a row `c` of `order_counts`. `status` is the parameter that names the status, if one is
 * asked for: a statement for each status would cost every connection seven times the plans.
 */
export function counted(status: string | undefined): string {
  if (status === undefined) return `(${ORDER_STATUSES.map((each) => `c.${countColumn(each)}`).join(' + ')})`;
  const columns = ORDER_STATUSES.map((each) => `WHEN '${each}' THEN c.${countColumn(each)}`);
  return `(CASE ${status}::order_status ${columns.join(' ')} END)`;
}

export function withStatus(status: string | undefined): string {
  return status === undefined ? '' : `AND o.status = ${status}::order_status`;
}

/** The parameters of a range of time, see `rangeValues`. */
export interface RangeParameters {
  readonly levels: string;
  readonly starts: string;
  readonly ends: string;
  readonly topFrom: string;
  readonly topTo: string;
  readonly bottomFrom: string;
  readonly bottomTo: string;
}

/** The parameters of `rangeValues` when the first of them has this number. */
export function rangeParameters(first: number): RangeParameters {
  return {
    levels: `$${first}::smallint[]`,
    starts: `$${first + 1}::integer[]`,
    ends: `$${first + 2}::integer[]`,
    topFrom: `$${first + 3}::timestamptz`,
    topTo: `$${first + 4}::timestamptz`,
    bottomFrom: `$${first + 5}::timestamptz`,
    bottomTo: `$${first + 6}::timestamptz`,
  };
}

export const RANGE_VALUES = 7;

/**
 * The parts of a range of time, newest first, each with its number of orders (`n`): ragged ends counted in the index,
 * the rest from the buckets. Without a range, all there is. $1 is the store.
 */
export function countedParts(range: RangeParameters | undefined, status: string | undefined): string {
  if (range === undefined) {
    return `
    SELECT 1 AS place, 2 AS level, 0 AS lo, ${PAST_EVERY_BUCKET} AS hi, NULL::timestamptz AS newest,
           coalesce(sum(${counted(status)}), 0)::bigint AS n
    FROM order_counts c WHERE c.store_key = $1 AND c.level = 2`;
  }
  // The comparison of the bounds with each other keeps an empty end from being looked up at all.
  const ragged = (place: number, from: string, to: string) => `
    SELECT ${place} AS place, -1 AS level, 0 AS lo, 0 AS hi, ${to} AS newest, count(*) AS n
    FROM orders o
    WHERE ${from} < ${to} AND o.store_key = $1 AND o.created_at >= ${from} AND o.created_at < ${to} ${withStatus(status)}`;
  return `${ragged(0, range.topFrom, range.topTo)}
    UNION ALL
    SELECT r.place::integer, r.level::integer, r.lo, r.hi, NULL, b.n
    FROM unnest(${range.levels}, ${range.starts}, ${range.ends}) WITH ORDINALITY AS r (level, lo, hi, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(${counted(status)}), 0)::bigint AS n
      FROM order_counts c
      WHERE c.store_key = $1 AND c.level = r.level AND c.bucket >= r.lo AND c.bucket < r.hi
    ) b
    UNION ALL ${ragged(9, range.bottomFrom, range.bottomTo)}`;
}

const PAST_EVERY_BUCKET = 2 ** 31 - 1;

export function rangeValues(filter: OrderFilter): unknown[] {
  const { top, buckets, bottom } = splitRange(filter.from, filter.to);
  return [
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

const COUNT_COLUMNS = ORDER_STATUSES.map(countColumn);

/**
 * Counts orders into the slot $1. `source` has the store, the hour and the status of each. The sorting keeps writers of one
 * slot from blocking each other in a ring.
 */
export function insertCountsFrom(source: string): string {
  return `
    INSERT INTO order_counts (store_key, level, bucket, slot, ${COUNT_COLUMNS.join(', ')})
    SELECT i.store_key, l.level, i.hour / l.hours, $1::smallint,
      ${ORDER_STATUSES.map((status) => `count(*) FILTER (WHERE i.status = '${status}')`).join(', ')}
    FROM ${source} i
    CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, ${HOURS_A_DAY}), (2::smallint, ${HOURS_A_DAY * DAYS_A_STRETCH}))
      AS l (level, hours)
    GROUP BY i.store_key, l.level, i.hour / l.hours
    ORDER BY 1, 2 DESC, 3
    ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
      ${COUNT_COLUMNS.map((column) => `${column} = order_counts.${column} + excluded.${column}`).join(', ')}`;
}
