import { nextLocalTime, type OpenRun } from '../calendar/open-hours.js';
import { DAY_MS, MINUTE_MS, LATEST_MS } from '../support/datetime.js';
import type { OpenHours } from '../calendar/special-days.js';
import { fromWall, MORNING_HOUR, toWall } from '../calendar/wall-clock.js';
import type { Intake, IntakeSettings } from './shapes.js';

/** What is kept of a store's intake. Instants are milliseconds since 1970. */
export interface KeptPace {
  readonly settings: IntakeSettings;
  readonly pause?: { readonly until: number; readonly note?: string };
  readonly busy?: { readonly until: number; readonly extraMinutes: number };
  readonly revision: number;
}

export const DEFAULT_PACE: KeptPace = {
  settings: { hours: [], special_days: [], prep_minutes: 15, ahead_days: 14 },
  revision: 0,
};

/** How much of the kitchen an order takes. */
export interface OrderSize {
  readonly items: number;
  /** The sum over its lines. */
  readonly prepMinutes: number;
  /** Minutes of the dish that takes longest. */
  readonly longestMinutes: number;
}

export const SMALLEST_ORDER: OrderSize = { items: 1, prepMinutes: 0, longestMinutes: 0 };

/** The sum of the orders whose `ready_by` lies in a range of time. */
export interface Load {
  readonly orders: number;
  readonly items: number;
  readonly prepMinutes: number;
}

/** Slots are multiples of this, and begin at multiples of it. */
export const PIECE_MS = 5 * 60_000;
/** By the start of each piece that has orders. */
export type Loads = ReadonlyMap<number, Load>;

/** How far ahead a place is looked for. */
const LOOK_AHEAD_MS = 14 * DAY_MS;
const SHOWN_MS = 12 * 60 * MINUTE_MS;
const LONGEST_SLOT_MS = 60 * MINUTE_MS;

export interface Refusal {
  readonly type: 'store_paused' | 'store_closed' | 'too_early' | 'too_late' | 'slot_full';
  /** The first `ready_by` that would be taken; undefined where there is none within two weeks. */
  readonly nextAt?: number | undefined;
  /** The last `ready_by` that is taken, of one that is later. */
  readonly latest?: number;
}

type Capacity = NonNullable<IntakeSettings['capacity']>;

interface Slot {
  readonly from: number;
  readonly to: number;
}

/** Where an order looks for its slot: within the runs, the first moment whose slot has room for one of this size. */
export interface SlotSearch {
  readonly runs: readonly OpenRun[];
  readonly capacity: Capacity;
  readonly size: OrderSize;
}

/** What the kitchen has to do already. */
export interface Kitchen {
  firstFree(search: SlotSearch): Promise<number | undefined>;
  loads(from: number, to: number): Promise<Loads>;
}

/** A kitchen without orders. */
export const EMPTY_KITCHEN: Kitchen = {
  firstFree: ({ runs }) => Promise.resolve(runs[0]?.from),
  loads: () => Promise.resolve(new Map()),
};

/** How a store takes orders at one moment. */
export interface Pace {
  /** Whether it takes orders now, and until when that stays so. */
  state(): Pick<Intake, 'state' | 'until'>;
  describe(): Promise<Omit<Intake, 'settings' | 'revision'>>;
  /** When an order that does not say is promised, or why it is not taken. */
  promise(size: OrderSize): Promise<number | Refusal>;
  /** Why an order for a stated time is not taken; undefined where it is. */
  check(readyBy: number, size: OrderSize): Promise<Refusal | undefined>;
  /** Where an order gets its slot: in that of the moment, or from the moment on; undefined without a capacity. */
  searchAt(readyBy: number, size: OrderSize): SlotSearch | undefined;
  /** `until`: when its dishes are served no longer. */
  searchFrom(readyBy: number, size: OrderSize, until: number | undefined): SlotSearch | undefined;
}

/** Settings with the calendar that they make. */
export interface PaceSettings extends KeptPace {
  readonly hours: OpenHours;
  readonly timezone: string;
}

/** Decides by the calendar and what the kitchen has to do: the same answers for the quote, the order and the page. */
export function paceAt(store: PaceSettings, now: number, kitchen: Kitchen): Pace {
  const { settings, pause, busy, hours } = store;
  const { capacity } = settings;
  const pausedUntil = pause !== undefined && pause.until > now ? pause.until : undefined;
  const latest = latestReadyBy(store, now);
  const horizon = Math.min(now + LOOK_AHEAD_MS, latest + 1);

  /** The first moment at which the kitchen has had the time that the order takes. */
  const earliest = (size: OrderSize): number | undefined => {
    const start = pausedUntil ?? now;
    const extra = busy !== undefined && busy.until > start ? busy.extraMinutes : 0;
    const lead = Math.max(settings.prep_minutes, size.longestMinutes) + extra;
    return hours.nextOpen(Math.ceil((start + lead * MINUTE_MS) / MINUTE_MS) * MINUTE_MS);
  };
  const searchFrom = (from: number, size: OrderSize, until = horizon) =>
    capacity === undefined ? undefined : { runs: hours.runs(from, until), capacity, size };
  /** The first time from a moment on for which the order is taken. */
  const nextFree = async (from: number | undefined, size: OrderSize, until = horizon) => {
    if (from === undefined) return undefined;
    const search = searchFrom(from, size, until);
    return search === undefined ? hours.runs(from, until)[0]?.from : kitchen.firstFree(search);
  };
  const shut = (): 'store_paused' | 'store_closed' | undefined =>
    !hours.isOpen(now) ? 'store_closed' : pausedUntil === undefined ? undefined : 'store_paused';
  const currentState = (): { readonly word: Intake['state']; readonly until: number | undefined } => {
    const type = shut();
    if (type === 'store_closed') return { word: 'closed', until: hours.nextOpen(now) };
    if (type === 'store_paused') return { word: 'paused', until: pausedUntil };
    return busy !== undefined && busy.until > now
      ? { word: 'busy', until: busy.until }
      : { word: 'open', until: hours.nextClosed(now) };
  };

  return {
    searchAt(readyBy, size) {
      if (capacity === undefined) return undefined;
      const { to } = slotAt(capacity, hours, readyBy);
      return { runs: [{ from: readyBy, to, offset: hours.offsetAt(readyBy) }], capacity, size };
    },
    searchFrom: (readyBy, size, until = horizon) => searchFrom(readyBy, size, Math.min(until, horizon)),
    state() {
      const { word, until } = currentState();
      return { state: word, ...(until === undefined ? {} : { until: iso(until) }) };
    },
    async promise(size) {
      const first = earliest(size);
      const nextAt = await nextFree(first, size);
      const type = shut();
      if (type !== undefined) return { type, nextAt };
      if (first !== undefined && first > latest) return { type: 'too_late', latest };
      return nextAt ?? { type: 'slot_full', nextAt };
    },
    async check(readyBy, size) {
      if (readyBy > latest) return { type: 'too_late', latest };
      const first = earliest(size);
      if (first === undefined || readyBy < first)
        return { type: shut() ?? 'too_early', nextAt: await nextFree(first, size) };
      // An order for a day far ahead is offered another time from that day on.
      const until = Math.min((readyBy > horizon ? readyBy : now) + LOOK_AHEAD_MS, latest + 1);
      const nextAt = await nextFree(readyBy, size, until);
      if (nextAt === readyBy) return undefined;
      return { type: hours.isOpen(readyBy) ? 'slot_full' : 'store_closed', nextAt };
    },
    async describe() {
      const first = earliest(SMALLEST_ORDER);
      const free = await nextFree(first, SMALLEST_ORDER);
      // Where no order can be ready before the last day ends: what the kitchen could keep.
      const ready = first !== undefined && first > latest ? first : free;
      const { word, until } = currentState();
      const special = hours.specialDay(now);
      const closed = special === undefined ? 'hours' : 'special_day';
      const reason =
        word === 'closed' ? closed : word === 'paused' ? 'pause' : ready === first ? undefined : 'full';
      const note = word === 'paused' ? pause?.note : word === 'closed' ? special?.note : undefined;
      const isShut = word === 'closed' || word === 'paused';
      return {
        state: word,
        ...(reason === undefined ? {} : { reason }),
        ...(until === undefined ? {} : { until: iso(until) }),
        ...(!isShut || free === undefined ? {} : { next_at: iso(free) }),
        ...(note === undefined ? {} : { note }),
        ...(ready === undefined
          ? {}
          : { ready_in_minutes: Math.floor((ready - now) / MINUTE_MS), ready_by: iso(ready) }),
        ...(capacity === undefined ? {} : { slots: await slotsFrom(capacity, hours, now, kitchen) }),
      };
    },
  };
}

/** Slots begin at the full hour on the wall clock. */
function slotAt(capacity: Capacity, hours: OpenHours, readyBy: number): Slot {
  const length = capacity.slot_minutes * MINUTE_MS;
  const offset = hours.offsetAt(readyBy);
  const from = Math.floor((readyBy + offset) / length) * length - offset;
  return { from, to: from + length };
}

function sumUp(loads: Loads, { from, to }: Slot): Load {
  const total = { orders: 0, items: 0, prepMinutes: 0 };
  for (let at = from; at < to; at += PIECE_MS) {
    const load = loads.get(at);
    total.orders += load?.orders ?? 0;
    total.items += load?.items ?? 0;
    total.prepMinutes += load?.prepMinutes ?? 0;
  }
  return total;
}

/** An order that is larger than a slot fits an empty one. */
function fits(capacity: Capacity, load: Load, { items, prepMinutes }: OrderSize): boolean {
  return (
    load.orders === 0 ||
    (load.orders + 1 <= (capacity.orders ?? Infinity) &&
      load.items + items <= (capacity.items ?? Infinity) &&
      load.prepMinutes + prepMinutes <= (capacity.prep_minutes ?? Infinity))
  );
}

async function slotsFrom(
  capacity: Capacity,
  hours: OpenHours,
  now: number,
  kitchen: Kitchen,
): Promise<NonNullable<Intake['slots']>> {
  // The first slot may have begun, and the last one ends later.
  const loads = await kitchen.loads(now - LONGEST_SLOT_MS, now + SHOWN_MS + LONGEST_SLOT_MS);
  const slots: NonNullable<Intake['slots']> = [];
  for (let at = now; at < now + SHOWN_MS;) {
    const slot = slotAt(capacity, hours, at);
    const load = sumUp(loads, slot);
    const { orders, items, prepMinutes } = load;
    const full = !fits(capacity, load, SMALLEST_ORDER);
    slots.push({ start: iso(slot.from), orders, items, prep_minutes: prepMinutes, full });
    at = slot.to;
  }
  return slots;
}

/** The next 06:00 on the store's clock: when the night ends and nothing of yesterday should go on. */
export function nextMorning(now: number, timezone: string): number {
  return nextLocalTime(MORNING_HOUR * 3600, now, timezone);
}

/** The end of the last day for which orders are taken. */
function latestReadyBy({ settings, timezone }: PaceSettings, now: number): number {
  const today = toWall(nextMorning(now, timezone), timezone);
  const wall = new Date(Date.parse(`${today}:00Z`) + settings.ahead_days * DAY_MS);
  const latest = fromWall(wall.toISOString().slice(0, 16), timezone);
  return Number.isNaN(latest) ? LATEST_MS : Math.min(latest, LATEST_MS);
}

const iso = (ms: number) => new Date(ms).toISOString();
