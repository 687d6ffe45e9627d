const DAY = 86_400_000;
const MINUTE = 60_000;

/** A store's own calendar and clock. */
export interface LocalClock {
  /** Midnight of the store's day so many days before the one that `now` falls on there, had it been in UTC. */
  day(now: number, daysBack: number): number;
  /** The instant at which the store's clocks show so many minutes after midnight of that day. */
  at(day: number, minutes: number): number;
}

export function createLocalClock(timezone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  /** How far the zone is ahead of UTC at that instant. */
  const offsetAt = (instant: number) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
  };
  return {
    day(now, daysBack) {
      const local = now + offsetAt(now);
      return local - (local % DAY) - daysBack * DAY;
    },
    at(day, minutes) {
      const shown = day + minutes * MINUTE;
      return shown - offsetAt(shown - offsetAt(shown));
    },
  };
}
