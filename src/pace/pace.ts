import { nextLocalTime } from '../calendar/open-hours.js';
import { wallSecond } from '../calendar/wall-clock.js';
import { openHours, type OpenHours } from '../calendar/special-days.js';
import type { Intake, IntakeSettings } from './shapes.js';

/** What is kept of a store's intake. Instants are milliseconds since 1970. */
export interface KeptPace {
  readonly settings: IntakeSettings;
  readonly pause?: { readonly until: number; readonly note?: string };
  readonly busy?: { readonly until: number; readonly extraMinutes: number };
  readonly revision: number;
}

export const DEFAULT_PACE: KeptPace = {
  settings: { hours: [], special_days: [], prep_minutes: 15 },
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

const SMALLEST_ORDER: OrderSize = { items: 1, prepMinutes: 0, longestMinutes: 0 };

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

const MINUTE_MS = 60_000;
/** How far ahead a place is looked for. */
export const LOOK_AHEAD_MS = 14 * 24 * 60 * MINUTE_MS;
const SHOWN_MS = 12 * 60 * MINUTE_MS;

export interface Refusal {
  readonly type: 'store_paused' | 'store_closed' | 'too_early' | 'slot_full';
  /** The first `ready_by` that would be taken; undefined where there is none within two weeks. */
  readonly nextAt: number | undefined;
}

export interface Slot {
  readonly from: number;
  readonly to: number;
}

/** How a store takes orders at one moment. */
export interface Pace {
  describe(): Omit<Intake, 'settings' | 'revision'>;
  /** When an order that does not say is promised, or why it is not taken. */
  promise(size: OrderSize): number | Refusal;
  /** Why an order for a stated time is not taken; undefined where it is. */
  check(readyBy: number, size: OrderSize): Refusal | undefined;
  /** The slot of a `ready_by`; undefined without a capacity. */
  slotOf(readyBy: number): Slot | undefined;
  readonly capacity: IntakeSettings['capacity'];
}

/** Decides by plain data: the same answers for the quote, the order and the page. */
export function paceAt(intake: KeptPace, timezone: string, now: number, loads: Loads): Pace {
  const { settings, pause, busy } = intake;
  const hours = openHours({ hours: settings.hours, specialDays: settings.special_days, timezone });
  const pausedUntil = pause !== undefined && pause.until > now ? pause.until : undefined;
  const slotOf = (readyBy: number) => slotAt(settings, timezone, readyBy);
  const hasRoom = ({ from, to }: Slot, size: OrderSize) => fits(settings, sumUp(loads, from, to), size);
  const isTaken = (readyBy: number, size: OrderSize) => {
    const slot = slotOf(readyBy);
    return slot === undefined || hasRoom(slot, size);
  };

  /** The first moment from `from` on at which the kitchen has had the time that the order takes. */
  const earliest = (size: OrderSize): number | undefined => {
    const from = Math.max(now, pausedUntil ?? now);
    const start = hours.nextOpen(from);
    // The hours know whole seconds only, and nobody begins before now.
    return start === undefined ? undefined : afterPreparing(Math.max(from, start), size);
  };
  const afterPreparing = (start: number, size: OrderSize): number | undefined => {
    const extra = busy !== undefined && busy.until > start ? busy.extraMinutes : 0;
    const lead = Math.max(settings.prep_minutes, size.longestMinutes) + extra;
    const ready = Math.ceil((start + lead * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
    if (hours.isOpen(ready)) return ready;
    const next = hours.nextOpen(ready);
    return next === undefined || next > now + LOOK_AHEAD_MS ? undefined : afterOpening(next, lead, hours);
  };
  /** The first time from a moment on for which the order is taken. */
  const nextFree = (from: number | undefined, size: OrderSize, until = now + LOOK_AHEAD_MS) => {
    let at = from;
    while (at !== undefined && at <= until) {
      if (!hours.isOpen(at)) {
        at = hours.nextOpen(at);
        continue;
      }
      if (isTaken(at, size)) return at;
      at = slotOf(at)?.to;
    }
    return undefined;
  };
  const shut = (): 'store_paused' | 'store_closed' | undefined =>
    !hours.isOpen(now) ? 'store_closed' : pausedUntil === undefined ? undefined : 'store_paused';

  return {
    slotOf,
    capacity: settings.capacity,
    promise(size) {
      const nextAt = nextFree(earliest(size), size);
      const type = shut();
      if (type !== undefined) return { type, nextAt };
      return nextAt ?? { type: 'slot_full', nextAt };
    },
    check(readyBy, size) {
      const first = earliest(size);
      if (first === undefined || readyBy < first)
        return { type: shut() ?? 'too_early', nextAt: nextFree(first, size) };
      // An order for a day far ahead is offered another time from that day on.
      const until = (readyBy > now + LOOK_AHEAD_MS ? readyBy : now) + LOOK_AHEAD_MS;
      if (!hours.isOpen(readyBy)) return { type: 'store_closed', nextAt: nextFree(readyBy, size, until) };
      return isTaken(readyBy, size)
        ? undefined
        : { type: 'slot_full', nextAt: nextFree(readyBy, size, until) };
    },
    describe() {
      const first = earliest(SMALLEST_ORDER);
      const ready = nextFree(first, SMALLEST_ORDER);
      const type = shut();
      const isBusy = busy !== undefined && busy.until > now;
      const ends =
        type === 'store_closed'
          ? hours.nextOpen(now)
          : type === undefined && !isBusy
            ? hours.nextClosed(now)
            : undefined;
      const until = type === 'store_paused' ? pausedUntil : type === undefined && isBusy ? busy.until : ends;
      const reason =
        type === 'store_closed'
          ? hours.isSpecial(now)
            ? 'special_day'
            : 'hours'
          : type === 'store_paused'
            ? 'pause'
            : ready !== first
              ? 'full'
              : undefined;
      const note =
        type === 'store_paused'
          ? pause?.note
          : type === 'store_closed'
            ? noteOf(settings, timezone, now)
            : undefined;
      return {
        state:
          type === 'store_closed' ? 'closed' : type === 'store_paused' ? 'paused' : isBusy ? 'busy' : 'open',
        ...(reason === undefined ? {} : { reason }),
        ...(until === undefined ? {} : { until: iso(until) }),
        ...(type === undefined || ready === undefined ? {} : { next_at: iso(ready) }),
        ...(note === undefined ? {} : { note }),
        ...(ready === undefined
          ? {}
          : { ready_in_minutes: Math.floor((ready - now) / MINUTE_MS), ready_by: iso(ready) }),
        ...(settings.capacity === undefined ? {} : { slots: slotsFrom(settings, timezone, now, loads) }),
      };
    },
  };
}

/** An order that would be ready after closing is made when the kitchen has opened again. */
function afterOpening(opening: number, lead: number, hours: OpenHours): number | undefined {
  const ready = opening + lead * MINUTE_MS;
  // Hours that are shorter than the preparation are no reason to refuse for ever: it is ready as they begin.
  return hours.isOpen(ready) ? ready : opening;
}

function slotAt({ capacity }: IntakeSettings, timezone: string, readyBy: number): Slot | undefined {
  if (capacity === undefined) return undefined;
  const length = capacity.slot_minutes * MINUTE_MS;
  const offset = wallSecond(readyBy, timezone) * 1000 - Math.floor(readyBy / 1000) * 1000;
  const from = Math.floor((readyBy + offset) / length) * length - offset;
  return { from, to: from + length };
}

function sumUp(loads: Loads, from: number, to: number): Load {
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
function fits({ capacity }: IntakeSettings, load: Load, { items, prepMinutes }: OrderSize): boolean {
  if (capacity === undefined || load.orders === 0) return true;
  return (
    load.orders + 1 <= (capacity.orders ?? Infinity) &&
    load.items + items <= (capacity.items ?? Infinity) &&
    load.prepMinutes + prepMinutes <= (capacity.prep_minutes ?? Infinity)
  );
}

function slotsFrom(
  settings: IntakeSettings,
  timezone: string,
  now: number,
  loads: Loads,
): NonNullable<Intake['slots']> {
  const slots: NonNullable<Intake['slots']> = [];
  for (let at = now; at < now + SHOWN_MS;) {
    const slot = slotAt(settings, timezone, at);
    if (slot === undefined) break;
    const { orders, items, prepMinutes } = sumUp(loads, slot.from, slot.to);
    const full = !fits(settings, { orders, items, prepMinutes }, SMALLEST_ORDER);
    slots.push({ start: iso(slot.from), orders, items, prep_minutes: prepMinutes, full });
    at = slot.to;
  }
  return slots;
}

function noteOf({ special_days: days }: IntakeSettings, timezone: string, now: number): string | undefined {
  const today = new Date(wallSecond(now, timezone) * 1000).toISOString().slice(0, 10);
  return days.find(({ date }) => date === today)?.note;
}

const MORNING_SECONDS = 6 * 3600;

/** The next 06:00 on the store's clock: when the night ends and nothing of yesterday should go on. */
export function nextMorning(now: number, timezone: string): number {
  return nextLocalTime(MORNING_SECONDS, now, timezone);
}

const iso = (ms: number) => new Date(ms).toISOString();
