import { randomInt } from 'node:crypto';
import { ORDER_STATUSES, type OrderStatus } from '../status.js';
import { HOUR_MS } from '../../support/datetime.js';

/**
 * Orders are counted per hour, per day and per month of 32 days, so that any range of time is a handful of bucket ranges and two
 * partial hours shorter than an hour. Buckets are numbered from the year 1, which keeps every number positive.
 */
const HOURS_A_DAY = 24;
const DAYS_A_MONTH = 32;

const YEAR_ONE_MS = -62_135_596_800_000;
/** The first month that no order can be in: the year 10,000 begins before it. */
const MONTHS = 114_200;

export interface BucketRange {
  readonly level: 0 | 1 | 2;
  readonly from: number;
  readonly to: number;
}

/** What a list is narrowed to by time, in milliseconds: `from` is inclusive, `to` exclusive. */
export interface TimeBounds {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Half-open, in milliseconds. */
interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A range of time from its newest part to its oldest; `top` and `bottom` are the partial hours. */
interface SplitRange {
  readonly top: TimeRange;
  readonly buckets: readonly BucketRange[];
  readonly bottom: TimeRange;
}

export function hourOf(ms: number): number {
  return Math.floor((ms - YEAR_ONE_MS) / HOUR_MS);
}

export function startOfHour(hour: number): number {
  return hour * HOUR_MS + YEAR_ONE_MS;
}

export function splitRange({ from, to }: TimeBounds): SplitRange {
  const firstHour = from === undefined ? 0 : Math.ceil((from - YEAR_ONE_MS) / HOUR_MS);
  const endHour = to === undefined ? MONTHS * DAYS_A_MONTH * HOURS_A_DAY : hourOf(to);
  if (firstHour >= endHour && from !== undefined && to !== undefined) {
    return { top: { from, to }, buckets: [], bottom: { from, to: from } };
  }
  const start = startOfHour(firstHour);
  const end = startOfHour(endHour);
  return {
    top: { from: end, to: to ?? end },
    buckets: splitHours(firstHour, endHour),
    bottom: { from: from ?? start, to: start },
  };
}

/** Newest first, the coarsest buckets that fit in the middle. */
function splitHours(from: number, to: number): BucketRange[] {
  const days = inner(from, to, HOURS_A_DAY);
  if (days === undefined) return [{ level: 0, from, to }];
  const months = inner(days.from, days.to, DAYS_A_MONTH);
  const middle: BucketRange[] =
    months === undefined
      ? [{ level: 1, ...days }]
      : [
          { level: 1, from: months.to * DAYS_A_MONTH, to: days.to },
          { level: 2, ...months },
          { level: 1, from: days.from, to: months.from * DAYS_A_MONTH },
        ];
  const all: BucketRange[] = [
    { level: 0, from: days.to * HOURS_A_DAY, to },
    ...middle,
    { level: 0, from, to: days.from * HOURS_A_DAY },
  ];
  return all.filter((range) => range.from < range.to);
}

function inner(from: number, to: number, size: number): TimeRange | undefined {
  const range = { from: Math.ceil(from / size), to: Math.floor(to / size) };
  return range.from < range.to ? range : undefined;
}

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
 * The parts of a range of time, newest first, each with its number of orders (`n`): partial hours counted in the index,
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
  const partialHour = (place: number, from: string, to: string) => `
    SELECT ${place} AS place, -1 AS level, 0 AS lo, 0 AS hi, ${to} AS newest, count(*) AS n
    FROM orders o
    WHERE ${from} < ${to} AND o.store_key = $1 AND o.created_at >= ${from} AND o.created_at < ${to} ${withStatus(status)}`;
  return `${partialHour(0, range.topFrom, range.topTo)}
    UNION ALL
    SELECT r.place::integer, r.level::integer, r.lo, r.hi, NULL, b.n
    FROM unnest(${range.levels}, ${range.starts}, ${range.ends}) WITH ORDINALITY AS r (level, lo, hi, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(${counted(status)}), 0)::bigint AS n
      FROM order_counts c
      WHERE c.store_key = $1 AND c.level = r.level AND c.bucket >= r.lo AND c.bucket < r.hi
    ) b
    UNION ALL ${partialHour(9, range.bottomFrom, range.bottomTo)}`;
}

export const PAST_EVERY_BUCKET = 2 ** 31 - 1;

export function rangeValues(bounds: TimeBounds): unknown[] {
  const { top, buckets, bottom } = splitRange(bounds);
  return [
    buckets.map((range) => range.level),
    buckets.map((range) => range.from),
    buckets.map((range) => range.to),
    ...timestamps(top),
    ...timestamps(bottom),
  ];
}

/** The bounds for comparison with a timestamptz. */
export function boundValues({ from, to }: TimeBounds): [string, string] {
  return [from === undefined ? '-infinity' : timestamp(from), to === undefined ? 'infinity' : timestamp(to)];
}

/** Bucket ends may lie past the year 9999, which only the database's own form can say. */
function timestamp(ms: number): string {
  const text = new Date(ms).toISOString();
  return text.startsWith('+') ? 'infinity' : text;
}

function timestamps(range: TimeRange): string[] {
  return range.from >= range.to ? ['infinity', '-infinity'] : [timestamp(range.from), timestamp(range.to)];
}

const COUNT_SHARDS = 32;

/** The shard that removed orders are taken off in, so that the removal waits for no other writer. */
export const REMOVAL_SHARD = COUNT_SHARDS;

/** The shard of `order_counts` that a process writes to; two that share one only wait for each other. */
export function chooseCounterShard(): number {
  return randomInt(COUNT_SHARDS);
}

const COUNT_COLUMNS = ORDER_STATUSES.map(countColumn);

/**
 * Counts orders into the shard $1. `source` has the store, the hour and the status of each. The sorting keeps writers of one
 * shard from blocking each other in a ring.
 */
export function insertCountsFrom(source: string): string {
  return `
    INSERT INTO order_counts (store_key, level, bucket, slot, ${COUNT_COLUMNS.join(', ')})
    SELECT i.store_key, l.level, i.hour / l.hours, $1::smallint,
      ${ORDER_STATUSES.map((status) => `count(*) FILTER (WHERE i.status = '${status}')`).join(', ')}
    FROM ${source} i
    CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, ${HOURS_A_DAY}), (2::smallint, ${HOURS_A_DAY * DAYS_A_MONTH}))
      AS l (level, hours)
    GROUP BY i.store_key, l.level, i.hour / l.hours
    ORDER BY 1, 2 DESC, 3
    ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
      ${COUNT_COLUMNS.map((column) => `${column} = order_counts.${column} + excluded.${column}`).join(', ')}`;
}
