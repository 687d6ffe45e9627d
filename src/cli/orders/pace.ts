import type { Intake, IntakeSettingsPatch } from '#sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { findStore, STORE, toWholeNumber } from '../lib/arguments.js';
import { type CommandContext, setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toLocalTime } from '../lib/locale.js';
import type { Terminal } from '../lib/terminal.js';

const FOR = ['--for <time>', 'how long, such as 30m or 2h (default: until 06:00)', toMilliseconds] as const;

export function addIntakeCommands(program: Command, terminal: Terminal): void {
  const intake = program
    .command('intake')
    .description('what the kitchen takes: pause, busy, special days, slots');

  const show = intake
    .command('show')
    .description('show whether the store takes orders')
    .argument(...STORE);
  setAction(show, terminal, async (context, _flags: object, given: string) => {
    const client = await context.connect();
    const store = await findStore(client, given);
    tell(context, await client.getIntake(store.id), store.timezone);
  });

  const change = (
    { connect }: CommandContext,
    given: string,
    patch: Parameters<Awaited<ReturnType<CommandContext['connect']>>['changeIntake']>[1],
  ) =>
    connect().then(async (client) => {
      const store = await findStore(client, given);
      return { shown: await client.changeIntake(store.id, patch), timezone: store.timezone };
    });

  const pause = intake
    .command('pause')
    .description('take no orders for a while')
    .argument(...STORE)
    .option(...FOR)
    .option('--note <text>', 'what guests are told');
  setAction(pause, terminal, async (context, flags: { for?: number; note?: string }, given: string) => {
    const { shown, timezone } = await change(context, given, {
      pause: { until: untilOf(flags.for), note: flags.note },
    });
    tell(context, shown, timezone);
  });

  const resume = intake
    .command('resume')
    .description('take orders again, as usual')
    .argument(...STORE);
  setAction(resume, terminal, async (context, _flags: object, given: string) => {
    const { shown, timezone } = await change(context, given, { pause: null, busy: null });
    tell(context, shown, timezone);
  });

  const busy = intake
    .command('busy')
    .description('promise later times for a while')
    .argument(...STORE)
    .argument('<minutes>', 'how much longer an order takes', toWholeNumber)
    .option(...FOR);
  setAction(busy, terminal, async (context, flags: { for?: number }, given: string, minutes: number) => {
    const { shown, timezone } = await change(context, given, {
      busy: { extra_minutes: minutes, until: untilOf(flags.for) },
    });
    tell(context, shown, timezone);
  });

  const special = intake
    .command('special')
    .description('set or remove one special day')
    .argument(...STORE)
    .argument('<date>', 'such as 2026-12-25')
    .option('--closed', 'closed all day')
    .option('--as <weekday>', 'hours and menus of that weekday')
    .option('--open <times>', 'hours of that day, such as 12:00-16:00,19:00-23:00')
    .option('--remove', 'an ordinary day again')
    .option('--note <text>', 'what guests are told');
  setAction(special, terminal, async (context, flags: SpecialFlags, given: string, date: string) => {
    const client = await context.connect();
    const store = await findStore(client, given);
    const { settings } = await client.getIntake(store.id);
    const others = settings.special_days.filter((day) => day.date !== date);
    const days = flags.remove === true ? others : [...others, toSpecialDay(date, flags)];
    days.sort((one, other) => one.date.localeCompare(other.date));
    const shown = await client.changeIntakeSettings(store.id, { special_days: days });
    context.out.done(`${date} is ${flags.remove === true ? 'an ordinary day' : 'set'}.`, shown);
  });

  const slots = intake
    .command('slots')
    .description('show how full the next slots are')
    .argument(...STORE);
  setAction(slots, terminal, async ({ connect, out }, _flags: object, given: string) => {
    const client = await connect();
    const store = await findStore(client, given);
    out.list(
      (await client.getIntake(store.id)).slots ?? [],
      [
        { title: 'START', value: ({ start }) => toLocalTime(start, store.timezone) },
        { title: 'ORDERS', value: ({ orders }) => String(orders) },
        { title: 'ITEMS', value: ({ items }) => String(items) },
        { title: 'PREP MINUTES', value: ({ prep_minutes: minutes }) => String(minutes) },
        { title: 'FULL', value: ({ full }) => (full ? 'full' : '') },
      ],
      'This store has no capacity set.',
    );
  });
}

type SpecialDay = NonNullable<IntakeSettingsPatch['special_days']>[number];

interface SpecialFlags {
  readonly closed?: boolean;
  readonly as?: string;
  readonly open?: string;
  readonly remove?: boolean;
  readonly note?: string;
}

function toSpecialDay(date: string, { closed, as, open, note }: SpecialFlags): SpecialDay {
  if ([closed, as, open].filter((flag) => flag !== undefined).length !== 1)
    throw new CommandFailed(EXIT.usage, 'Say exactly one of --closed, --as and --open.');
  return {
    date,
    ...(closed === true ? { closed } : {}),
    ...(as === undefined ? {} : { as }),
    ...(open === undefined ? {} : { time_periods: open.split(',').map(toPeriod) }),
    ...(note === undefined ? {} : { note }),
  };
}

function toPeriod(text: string): { start_time: string; end_time: string } {
  const [start, end] = text.trim().split('-');
  if (start === undefined || end === undefined)
    throw new CommandFailed(EXIT.usage, `Not a time of day: ${text}. Write 12:00-16:00.`);
  return { start_time: start.trim(), end_time: end.trim() };
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function toMilliseconds(text: string): number {
  const match = /^(\d{1,5})([mhd])$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Expected a time such as 30m, 2h or 1d.');
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}

function untilOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Date.now() + ms).toISOString();
}

const WORDS = { open: 'Open', busy: 'Busy', paused: 'Paused', closed: 'Closed' } as const;

function tell({ out }: CommandContext, intake: Intake, timezone: string | undefined): void {
  const { state, until, note, next_at: nextAt, ready_in_minutes: minutes } = intake;
  const parts = [
    until === undefined ? WORDS[state] : `${WORDS[state]} until ${toLocalTime(until, timezone)}`,
    ...(note === undefined ? [] : [note]),
    nextAt !== undefined
      ? `next order ready at ${toLocalTime(nextAt, timezone)}`
      : minutes === undefined
        ? 'no order is taken in the next two weeks'
        : `ready in ${minutes} min`,
  ];
  out.done(`${parts.join(', ')}.`, intake);
}
