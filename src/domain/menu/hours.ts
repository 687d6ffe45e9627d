const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

interface Period {
  readonly start_time: string;
  readonly end_time: string;
}

export interface DayHours {
  readonly day_of_week: string;
  readonly time_periods: readonly Period[];
}

/** What the clock on the store's wall shows. */
export interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  readonly second: number;
}

const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?|24:00(?::00)?)$/;
const DAY_SECONDS = 86_400;
const LAST_MINUTE = DAY_SECONDS - 60;

/** Seconds since midnight of `HH:MM` or `HH:MM:SS`, 00:00 to 24:00. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, hour, minute = '0', second = '0'] = match;
  return hour === undefined ? DAY_SECONDS : Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

export function parseDay(name: string): number | undefined {
  const day = DAYS.findIndex((known) => known === name.toLowerCase());
  return day === -1 ? undefined : day;
}

/**
 * Whether the wall clock stands within the hours. No hours at all means always; a day that is not listed is closed.
 * The clock alone decides, so an hour that a change to winter time repeats is open twice and one that is skipped never is.
 */
export function isOpen(availability: readonly DayHours[], now: LocalTime): boolean {
  if (availability.length === 0) return true;
  return availability.some(({ day_of_week, time_periods }) => {
    const day = parseDay(day_of_week);
    if (day === undefined) return false;
    const sinceThatDay = ((now.day - day + 7) % 7) * DAY_SECONDS + now.second;
    return time_periods.some((period) => covers(period, sinceThatDay));
  });
}

/** `second` counts from the midnight that begins the period's own day; the day after reaches past 86,400. */
function covers(period: Period, second: number): boolean {
  const start = parseTime(period.start_time);
  const end = parseTime(period.end_time);
  if (start === undefined || end === undefined) return false;
  return start <= second && second < endOf(start, end);
}

function endOf(start: number, end: number): number {
  if (end < start) return end + DAY_SECONDS;
  // 23:59 is how many systems write the end of the day.
  return end === LAST_MINUTE ? DAY_SECONDS : end;
}

export function localTime(at: Date, timezone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? '';
  const second = Number(part('hour')) * 3600 + Number(part('minute')) * 60 + Number(part('second'));
  return { day: parseDay(part('weekday')) ?? 0, second };
}
