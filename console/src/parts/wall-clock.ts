/** What the clock on the wall of a timezone shows, as a `datetime-local` field has it: `2026-11-15T18:42`. */
export function toWall(moment: number, timezone: string): string {
  const { year, month, day, hour, minute } = wallParts(moment, timezone);
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The moment at which the clock on the wall shows this; of an hour that comes twice the first. */
export function fromWall(wall: string, timezone: string): number {
  const asUtc = Date.parse(`${wall.slice(0, 16)}:00Z`);
  // Twice, since the offset that holds at the guess may not be the one that holds at the moment itself.
  let moment = asUtc - offsetAt(asUtc, timezone);
  moment = asUtc - offsetAt(moment, timezone);
  return moment;
}

/** Midnight at which the day of this moment began. */
export function startOfDay(moment: number, timezone: string): number {
  return fromWall(`${toWall(moment, timezone).slice(0, 10)}T00:00`, timezone);
}

function offsetAt(moment: number, timezone: string): number {
  return Date.parse(`${toWall(moment, timezone)}:00Z`) - Math.floor(moment / 60_000) * 60_000;
}

function wallParts(
  moment: number,
  timezone: string,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute', string> {
  const parts = clockOf(timezone).formatToParts(moment);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    year: partOf('year').padStart(4, '0'),
    month: partOf('month'),
    day: partOf('day'),
    hour: partOf('hour'),
    minute: partOf('minute'),
  };
}

/** Making one takes far longer than reading it, and a day has thousands of orders. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  clocks.set(timezone, clock);
  return clock;
}
