const DAY = 86_400_000;
const MINUTE = 60_000;

/** A day of a store's own calendar. */
export interface LocalDay {
  /** Midnight of that date, had it been in UTC. */
  readonly utcMidnight: number;
}

/** The store's day so many days before the one that `now` falls on there. */
export function startOfDay(timezone: string, now: number, daysBack: number): LocalDay {
  const local = now + offsetAt(timezone, now);
  return { utcMidnight: local - (local % DAY) - daysBack * DAY };
}

/** The instant at which the store's clocks show so many minutes after midnight of that day. */
export function atLocalTime(timezone: string, { utcMidnight }: LocalDay, minutes: number): number {
  const shown = utcMidnight + minutes * MINUTE;
  return shown - offsetAt(timezone, shown - offsetAt(timezone, shown));
}

/** How far the zone is ahead of UTC at that instant. */
function offsetAt(timezone: string, instant: number): number {
  const name = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
}
