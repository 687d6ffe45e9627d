import { Type, type Static } from '../support/shape/type.js';
import { reportValueError } from '../support/error-details.js';
import { withRule } from '../support/shape/compile-shape.js';
import { NamedShape } from '../support/shape/common-shapes.js';
import { DAY_SECONDS } from '../support/datetime.js';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?|24:00(?::00)?)$/;
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

const TimeOfDay = (example: string) =>
  withRule(
    Type.String({ examples: [example], description: 'HH:MM or HH:MM:SS, 00:00 to 24:00' }),
    (time, visit) => {
      if (parseTime(time) === undefined)
        reportValueError(visit, 'time should be HH:MM or HH:MM:SS, from 00:00 to 24:00', time);
    },
  );

export const TimePeriodsRequest = NamedShape('TimePeriodsRequest', {
  start_time: TimeOfDay('09:30'),
  end_time: TimeOfDay('17:30'),
});
export type Period = Static<typeof TimePeriodsRequest>;

export const DayOfWeek = withRule(Type.String({ examples: ['Monday'] }), (name, visit) => {
  if (parseDay(name) === undefined)
    reportValueError(visit, 'day_of_week should be a full English day name, such as Monday', name);
});

export const Availability = NamedShape('Availability', {
  day_of_week: DayOfWeek,
  time_periods: Type.Array(TimePeriodsRequest),
});
export type DayHours = Static<typeof Availability>;

/** In seconds; an end is exclusive. */
export type Span = readonly [start: number, end: number];

/** The periods that begin on each weekday, from Sunday on, in seconds since its midnight and in order. */
export type WeekHours = readonly (readonly Span[])[];

const ALL_DAY: readonly Span[] = [[0, DAY_SECONDS]];

/** No hours at all means always; a day that is not listed is closed. */
export function weekHours(availability: readonly DayHours[]): WeekHours {
  if (availability.length === 0) return DAYS.map(() => ALL_DAY);
  return DAYS.map((_, day) =>
    spansOf(
      availability.flatMap(({ day_of_week: name, time_periods: periods }) =>
        parseDay(name) === day ? periods : [],
      ),
    ),
  );
}

export function spansOf(periods: readonly Period[]): readonly Span[] {
  return periods
    .map(spanOf)
    .filter((span) => span !== undefined)
    .sort(([one], [other]) => one - other);
}

/** Seconds since midnight; an end above a day's seconds runs past midnight. */
export function spanOf(period: Period): Span | undefined {
  const start = parseTime(period.start_time);
  const end = parseTime(period.end_time);
  return start === undefined || end === undefined || start === end ? undefined : [start, endOf(start, end)];
}

function endOf(start: number, end: number): number {
  if (end < start) return end + DAY_SECONDS;
  // 23:59 is how many systems write the end of the day.
  return end === LAST_MINUTE ? DAY_SECONDS : end;
}
