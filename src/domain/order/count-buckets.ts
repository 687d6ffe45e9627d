/**
 * Orders are counted per hour, per day and per 32 days, so that any range of time is a handful of bucket ranges and two
 * ragged ends shorter than an hour. Buckets are numbered from the year 1, which keeps every number positive.
 */
export const HOUR_MS = 3_600_000;
export const HOURS_A_DAY = 24;
export const DAYS_A_STRETCH = 32;

const YEAR_ONE_MS = -62_135_596_800_000;
/** The first stretch that no order can be in: the year 10,000 begins before it. */
const STRETCHES = 114_200;

type BucketLevel = 0 | 1 | 2;

export interface BucketRange {
  readonly level: BucketLevel;
  readonly from: number;
  readonly to: number;
}

/** Half-open, in milliseconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A range of time from its newest part to its oldest; `top` and `bottom` are the ragged ends. */
export interface SplitRange {
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

export function splitRange(from: number | undefined, to: number | undefined): SplitRange {
  const firstHour = from === undefined ? 0 : Math.ceil((from - YEAR_ONE_MS) / HOUR_MS);
  const endHour = to === undefined ? STRETCHES * DAYS_A_STRETCH * HOURS_A_DAY : hourOf(to);
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
  const stretches = inner(days.from, days.to, DAYS_A_STRETCH);
  const middle: BucketRange[] =
    stretches === undefined
      ? [{ level: 1, ...days }]
      : [
          { level: 1, from: stretches.to * DAYS_A_STRETCH, to: days.to },
          { level: 2, ...stretches },
          { level: 1, from: days.from, to: stretches.from * DAYS_A_STRETCH },
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
