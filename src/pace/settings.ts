import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { newEvent } from '../events/event.js';
import { appendEvents } from '../events/events.sql.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import { FaultList, valueFault } from '../support/faults.js';
import type { MovedDays } from '../calendar/open-hours.js';
import { movedDays } from '../calendar/special-days.js';
import { readIntake, readLoads, writeIntake } from './settings.sql.js';
import {
  DEFAULT_PACE,
  LOOK_AHEAD_MS,
  nextMorning,
  paceAt,
  type Loads,
  type Pace,
  type KeptPace,
} from './pace.js';
import type { IntakePatch, IntakeSettingsPatch } from './shapes.js';

export const INTAKE_CHANGED = 'store.intake_changed';

/** Reads how a store takes orders. Settings are cached while their revision is current. */
export interface StorePace {
  of(db: Queryable, store: RequestedStore): Promise<KeptPace>;
  /** `readyBy`: the time that an order asks for. */
  paceOf(db: Queryable, store: RequestedStore, now: number, readyBy?: number): Promise<Pace>;
  /** The pace of a kitchen without orders. */
  emptyPaceOf(db: Queryable, store: RequestedStore, now: number): Promise<Pace>;
  /** The dates on which the menus of another weekday hold. */
  readonly movedDaysOf: (db: Queryable, store: RequestedStore) => Promise<MovedDays | undefined>;
}

const MOST_KEPT = 5_000;

export function createStorePace(): StorePace {
  const kept = new LRUCache<number, KeptPace>({ max: MOST_KEPT });
  const of = async (db: Queryable, { id, storeKey, intakeRevision }: RequestedStore) => {
    if (intakeRevision === 0) return DEFAULT_PACE;
    const known = kept.get(storeKey);
    if (known?.revision === intakeRevision) return known;
    const read = await readIntake(db, id);
    kept.set(storeKey, read);
    return read;
  };
  return {
    of,
    movedDaysOf: async (db, store) => movedDays((await of(db, store)).settings.special_days),
    async paceOf(db, store, now, readyBy) {
      const intake = await of(db, store);
      const loads = await loadsFor(db, store.storeKey, intake, now, readyBy);
      return paceAt(intake, store.timezone ?? 'UTC', now, loads);
    },
    emptyPaceOf: async (db, store, now) =>
      paceAt(await of(db, store), store.timezone ?? 'UTC', now, new Map()),
  };
}

/** Reads the load of the slots that an order may fall into, from an hour before, because a slot may have begun. */
async function loadsFor(
  db: Queryable,
  storeKey: number,
  { settings }: KeptPace,
  now: number,
  readyBy = now,
): Promise<Loads> {
  if (settings.capacity === undefined) return new Map();
  const loadsFrom = (from: number) =>
    readLoads(db, storeKey, from - 3_600_000, from + LOOK_AHEAD_MS + 3_600_000);
  if (readyBy <= now + LOOK_AHEAD_MS) return loadsFrom(now);
  return new Map([...(await loadsFrom(now)), ...(await loadsFrom(readyBy))]);
}

const MOST_AHEAD_MS = 366 * 86_400_000;

/** Pauses, resumes, and says how busy the kitchen is. */
export function changeState(intake: KeptPace, patch: IntakePatch, timezone: string, now: number): KeptPace {
  const faults = new FaultList();
  const untilOf = (member: 'pause' | 'busy') => {
    const stated = patch[member]?.until;
    const until = stated === undefined ? nextMorning(now, timezone) : Date.parse(stated);
    const loc = ['body', member, 'until'];
    if (until <= now) faults.add(valueFault(loc, 'until is in the past', stated));
    else if (until > now + MOST_AHEAD_MS)
      faults.add(valueFault(loc, 'until is more than 366 days ahead', stated));
    return until;
  };
  const { pause, busy, ...rest } = intake;
  const changed = {
    ...rest,
    ...(patch.pause ? { pause: { ...noteOf(patch.pause), until: untilOf('pause') } } : {}),
    ...(patch.pause === undefined && pause !== undefined ? { pause } : {}),
    ...(patch.busy ? { busy: { extraMinutes: patch.busy.extra_minutes, until: untilOf('busy') } } : {}),
    ...(patch.busy === undefined && busy !== undefined ? { busy } : {}),
  };
  faults.throwIfAny();
  return changed;
}

function noteOf({ note }: { note?: string }): { note?: string } {
  return note === undefined ? {} : { note };
}

export function changeSettings(intake: KeptPace, patch: IntakeSettingsPatch): KeptPace {
  const { capacity, ...others } = intake.settings;
  const { capacity: wanted, ...stated } = patch;
  const next = wanted === undefined ? capacity : (wanted ?? undefined);
  return { ...intake, settings: { ...others, ...stated, ...(next === undefined ? {} : { capacity: next }) } };
}

/** Writes a change with its event. What changes nothing is no change. */
export async function changeIntake(
  tx: Transaction,
  store: RequestedStore,
  keyId: string,
  change: (intake: KeptPace) => KeptPace,
): Promise<KeptPace> {
  const before = await readIntake(tx, store.id, true);
  const wanted = change(before);
  const changed = changedParts(before, wanted);
  if (changed.length === 0) return before;
  const after = { ...wanted, revision: before.revision + 1 };
  await writeIntake(tx, store.id, after);
  const now = Date.now();
  const { state, until } = paceAt(after, store.timezone ?? 'UTC', now, new Map()).describe();
  const act = { keyId, at: new Date(now).toISOString() };
  await appendEvents(tx, store.storeKey, [newEvent(INTAKE_CHANGED, act, { changed, state, until })]);
  return after;
}

function changedParts(before: KeptPace, after: KeptPace): string[] {
  const parts = ({ settings, pause, busy }: KeptPace) => ({ pause, busy, ...settings });
  const [one, other] = [parts(before), parts(after)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof typeof one>;
  // The database gives keys back in an order of its own.
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name]));
}
