import type { Intake, IntakeSettingsPatch } from '#sdk';
import { STORE_ID } from '../lib/arguments.js';
import { command, type CommandRow, type Given } from '../lib/command.js';
import { UsageError } from '../lib/errors.js';
import { toLocalTime } from '../lib/locale.js';

const SPECIAL_FLAGS = [
  ['--closed', 'closed all day'],
  ['--as <weekday>', 'hours and menus of that weekday'],
  ['--open <times>', 'hours of that day, such as 12:00-16:00,19:00-23:00'],
  ['--remove', 'an ordinary day again'],
  ['--note <text>', 'what guests are told'],
] as const;

export const INTAKE_ROWS: readonly CommandRow[] = [
  command('intake special', 'set or remove one special day', {
    takes: [STORE_ID, ['<date>', 'such as 2026-12-25']],
    flags: SPECIAL_FLAGS,
    run: async ({ client, out }, { store, date, ...flags }) => {
      const { settings } = await client.getIntake(store);
      const others = settings.special_days.filter((day) => day.date !== date);
      const days = flags.remove === true ? others : [...others, toSpecialDay(date, flags)];
      days.sort((one, other) => one.date.localeCompare(other.date));
      const shown = await client.changeIntakeSettings(store, { special_days: days });
      out.done(`${date} is ${flags.remove === true ? 'an ordinary day' : 'set'}.`, shown);
    },
  }),
];

type SpecialDay = NonNullable<IntakeSettingsPatch['special_days']>[number];

function toSpecialDay(date: string, given: Given<[], typeof SPECIAL_FLAGS>): SpecialDay {
  const { closed, as, open, note } = given;
  if ([closed, as, open].filter((flag) => flag !== undefined).length !== 1)
    throw new UsageError('Say exactly one of --closed, --as and --open.');
  return { date, closed, as, time_periods: open?.split(',').map(toPeriod), note };
}

function toPeriod(text: string): { start_time: string; end_time: string } {
  const [start, end] = text.trim().split('-');
  if (start === undefined || end === undefined)
    throw new UsageError(`Not a time of day: ${text}. Write 12:00-16:00.`);
  return { start_time: start.trim(), end_time: end.trim() };
}

const STATES = { open: 'Open', busy: 'Busy', paused: 'Paused', closed: 'Closed' } as const;

/** Whether the store takes orders, in a sentence. */
export function tellIntake(
  intake: Intake,
  { store }: { readonly store: { readonly timezone?: string | undefined } },
): string {
  const { state, until, note, next_at: nextAt, ready_in_minutes: minutes } = intake;
  const at = (moment: string) => toLocalTime(moment, store.timezone);
  const ready = minutes === undefined ? 'no order is taken in the next two weeks' : `ready in ${minutes} min`;
  const parts = [
    until === undefined ? STATES[state] : `${STATES[state]} until ${at(until)}`,
    ...(note === undefined ? [] : [note]),
    nextAt === undefined ? ready : `next order ready at ${at(nextAt)}`,
  ];
  return `${parts.join(', ')}.`;
}
