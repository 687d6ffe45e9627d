import { Type, type Static } from '../support/shape/type.js';
import { Availability, DayOfWeek, spanOf, TimePeriodsRequest, type Period } from '../calendar/hours.js';
import { inside, reportError, reportValueError, type Visit } from '../support/error-details.js';
import { Datetime, NamedShape, OneOf, PatchOf } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { parseDate } from '../calendar/open-hours.js';

/** How a store takes orders: what is set, what holds at the moment, and what is promised. */

/** How many periods a day has at most, so that a look at the calendar stays cheap. */
const MOST_PERIODS = 20;

const Note = () => Type.Optional(Type.String({ maxLength: 200, examples: ['Oven broke'] }));

const SpecialDate = withRule(Type.String({ examples: ['2026-12-25'] }), (date, visit) => {
  if (parseDate(date) === undefined)
    reportValueError(visit, 'date should be a day that exists, such as 2026-12-25', date);
});

const SpecialDay = withRule(
  NamedShape(
    'SpecialDay',
    {
      date: SpecialDate,
      closed: Type.Optional(Type.Boolean({ description: '`true`: closed all day' })),
      as: Type.Optional(DayOfWeek),
      time_periods: Type.Optional(Type.Array(TimePeriodsRequest, { maxItems: MOST_PERIODS })),
      note: Note(),
    },
    { description: 'Exactly one of `closed: true`, `as` and `time_periods`' },
  ),
  (day, visit, sent) => {
    const { closed, as, time_periods: periods } = day;
    const stated = [closed === true, as !== undefined, periods !== undefined].filter(Boolean);
    if (stated.length !== 1 || closed === false)
      reportValueError(visit, 'a special day has exactly one of closed: true, as and time_periods', sent);
    else refuseEmptyPeriods(periods ?? [], visit);
  },
);

const Most = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description }));

const Capacity = withRule(
  NamedShape('IntakeCapacity', {
    slot_minutes: Type.Unsafe<number>({
      type: 'integer',
      enum: [5, 10, 15, 20, 30, 60],
      description: 'How long a slot is, from the full hour on',
      examples: [15],
    }),
    orders: Most('How many orders a slot takes'),
    items: Most('How many items a slot takes'),
    prep_minutes: Most('How many minutes of preparation a slot takes'),
  }),
  ({ orders, items, prep_minutes: prep }, visit, sent) => {
    if (orders === undefined && items === undefined && prep === undefined)
      reportValueError(visit, 'a capacity has at least one of orders, items and prep_minutes', sent);
  },
);

const Hours = withRule(
  Type.Array(Availability, {
    maxItems: 100,
    description: `\`[]\`: always, the menus decide. At most ${MOST_PERIODS} periods a day`,
  }),
  (hours, visit) => {
    const counts = new Map<string, number>();
    hours.forEach(({ day_of_week: name, time_periods: periods }, i) => {
      const day = name.toLowerCase();
      const count = (counts.get(day) ?? 0) + periods.length;
      counts.set(day, count);
      const tooMany = `a day has at most ${MOST_PERIODS} time_periods`;
      inside(visit, i, () => {
        if (count > MOST_PERIODS) inside(visit, 'time_periods', () => reportValueError(visit, tooMany));
        else refuseEmptyPeriods(periods, visit);
      });
    });
  },
);

const SpecialDays = withRule(Type.Array(SpecialDay, { maxItems: 400 }), (days, visit) => {
  const seen = new Set<string>();
  days.forEach(({ date }, i) => {
    if (seen.has(date)) {
      visit.path.push(i, 'date');
      reportError(visit, 'duplicate_date', `The date ${date} comes twice`, date);
      visit.path.length -= 2;
    }
    seen.add(date);
  });
});

function refuseEmptyPeriods(periods: readonly Period[], visit: Visit): void {
  periods.forEach((period, i) => {
    if (spanOf(period) !== undefined) return;
    visit.path.push('time_periods', i, 'end_time');
    reportValueError(visit, 'end_time should differ from start_time', period.end_time);
    visit.path.length -= 3;
  });
}

const PrepMinutes = Type.Integer({
  minimum: 0,
  maximum: 1440,
  description: 'How long an order takes at least. Default: 15',
  examples: [15],
});

const AheadDays = Type.Integer({
  minimum: 0,
  maximum: 366,
  description:
    'How many days ahead orders are taken for; 0 is today only. A day ends at 06:00 on the clock of the store. Default: 14',
  examples: [14],
});

const settings = {
  hours: Hours,
  special_days: SpecialDays,
  prep_minutes: PrepMinutes,
  capacity: Type.Optional(Capacity),
  ahead_days: AheadDays,
};

export const IntakeSettings = Type.Object(settings, { $id: 'IntakeSettings' });
export type IntakeSettings = Static<typeof IntakeSettings>;

export const IntakeSettingsPatch = PatchOf(
  {
    ...settings,
    hours: Type.Optional(Hours),
    special_days: Type.Optional(SpecialDays),
    prep_minutes: Type.Optional(PrepMinutes),
    ahead_days: Type.Optional(AheadDays),
  },
  { $id: 'IntakeSettingsPatch' },
);
export type IntakeSettingsPatch = Static<typeof IntakeSettingsPatch>;

const Until = () =>
  Type.Optional(Datetime({ description: 'Left out: the next 06:00 on the clock of the store' }));

export const IntakePatch = PatchOf(
  {
    pause: Type.Optional(NamedShape('IntakePause', { until: Until(), note: Note() })),
    busy: Type.Optional(
      NamedShape('IntakeBusy', {
        extra_minutes: Type.Integer({ minimum: 1, maximum: 240, examples: [20] }),
        until: Until(),
      }),
    ),
  },
  { $id: 'IntakePatch' },
);
export type IntakePatch = Static<typeof IntakePatch>;

const Slot = NamedShape('IntakeSlot', {
  start: Datetime(),
  orders: Type.Integer(),
  items: Type.Integer(),
  prep_minutes: Type.Integer(),
  full: Type.Boolean({ description: 'Whether an order of one item without preparation finds no place' }),
});

export const Intake = NamedShape('Intake', {
  state: OneOf(['open', 'busy', 'paused', 'closed']),
  reason: Type.Optional(OneOf(['pause', 'hours', 'special_day', 'full'])),
  until: Type.Optional(Datetime({ description: 'When the state ends, where that is known' })),
  next_at: Type.Optional(Datetime({ description: 'The first time for which an order is taken' })),
  note: Type.Optional(Type.String()),
  ready_in_minutes: Type.Optional(Type.Integer()),
  ready_by: Type.Optional(Datetime({ description: 'What an order without a long dish is promised now' })),
  slots: Type.Optional(Type.Array(Slot, { description: 'The next 12 hours, where there is a capacity' })),
  settings: IntakeSettings,
  revision: Type.Integer({ description: 'One more with each change; 0 if nothing was ever changed' }),
});
export type Intake = Static<typeof Intake>;
