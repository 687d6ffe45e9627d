import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { newEvent } from '../events/event.js';
import { audit } from '../audit/audit.sql.js';
import { appendEvents } from '../events/events.sql.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import { withoutNulls } from '../postgres/without-nulls.js';
import { ErrorList, valueErrorDetail } from '../support/error-details.js';
import { viaOf } from '../support/actor.js';
import { DAY_MS } from '../support/datetime.js';
import type { MovedDays } from '../calendar/open-hours.js';
import { movedDays, openHours } from '../calendar/special-days.js';
import { kitchenOf } from './kitchen.sql.js';
import {
  DEFAULT_PACE,
  EMPTY_KITCHEN,
  nextMorning,
  paceAt,
  SMALLEST_ORDER,
  type KeptPace,
  type PaceSettings,
} from './pace.js';
import { lockIntake, readIntakes, writeIntake } from './settings.sql.js';
import type { IntakePatch, IntakeSettingsPatch } from './shapes.js';

export const INTAKE_CHANGED = 'store.intake_changed';

/** How a store takes orders, as long as its revision is current, with what is worked out from it once. */
interface CurrentPace extends PaceSettings {
  readonly moved: MovedDays | undefined;
  /** The JSON of the settings: of a store with hundreds of special days it is long. */
  readonly settingsText: string;
}

/** About 50 MB: the text of a period takes a hundred bytes, in the settings and as JSON. */
const MOST_KEPT_CHARACTERS = 20_000_000;
const SMALLEST_SETTINGS = 2_000;

export type StorePace = ReturnType<typeof createStorePace>;

/** Reads how a store takes orders. */
export function createStorePace() {
  const kept = new LRUCache<number, CurrentPace>({
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: ({ settingsText }) => SMALLEST_SETTINGS + settingsText.length,
  });
  const of = async (db: Queryable, { id, storeKey, intakeRevision, timezone = 'UTC' }: RequestedStore) => {
    const known = kept.get(storeKey);
    if (known?.revision === intakeRevision && known.timezone === timezone) return known;
    const intake = intakeRevision === 0 ? undefined : (await readIntakes(db, [id])).get(id);
    const read = currentPace(intake ?? DEFAULT_PACE, timezone);
    kept.set(storeKey, read);
    return read;
  };
  const paceOf = async (db: Queryable, store: RequestedStore, now: number) =>
    paceAt(await of(db, store), now, kitchenOf(db, store.storeKey));
  return {
    of,
    paceOf,
    /** The pace of a kitchen without orders. */
    emptyPaceOf: async (db: Queryable, store: RequestedStore, now: number) =>
      paceAt(await of(db, store), now, EMPTY_KITCHEN),
    /** The dates on which the menus of another weekday hold. */
    movedDaysOf: async (db: Queryable, store: RequestedStore) => (await of(db, store)).moved,
    /** When an order of now would be ready, which decides what can be ordered; now, while none is taken. */
    readyFrom: async (db: Queryable, store: RequestedStore) => {
      const now = Math.floor(Date.now() / 1000) * 1000;
      const promise = await (await paceOf(db, store, now)).promise(SMALLEST_ORDER);
      return typeof promise === 'number' ? promise : now;
    },
    /** Reads the settings of many stores at once, for what asks about each of them next. */
    async load(db: Queryable, stores: readonly RequestedStore[]) {
      const unknown = stores.filter(
        ({ storeKey, intakeRevision }) =>
          intakeRevision > 0 && kept.get(storeKey)?.revision !== intakeRevision,
      );
      const ids = unknown.map(({ id }) => id);
      const read = await readIntakes(db, ids);
      for (const { id, storeKey, timezone = 'UTC' } of unknown)
        kept.set(storeKey, currentPace(read.get(id) ?? DEFAULT_PACE, timezone));
    },
  };
}

function currentPace(kept: KeptPace, timezone: string): CurrentPace {
  const { hours, special_days: specialDays } = kept.settings;
  return {
    ...kept,
    timezone,
    hours: openHours({ hours, specialDays, timezone }),
    moved: movedDays(specialDays),
    settingsText: JSON.stringify(kept.settings),
  };
}

const MOST_AHEAD_MS = 366 * DAY_MS;

export function changeState(intake: KeptPace, patch: IntakePatch, timezone: string, now: number): KeptPace {
  const errors = new ErrorList();
  const untilOf = (member: 'pause' | 'busy') => {
    const stated = patch[member]?.until;
    const until = stated === undefined ? nextMorning(now, timezone) : Date.parse(stated);
    const loc = ['body', member, 'until'];
    if (until <= now) errors.add(valueErrorDetail(loc, 'until is in the past', stated));
    else if (until > now + MOST_AHEAD_MS)
      errors.add(valueErrorDetail(loc, 'until is more than 366 days ahead', stated));
    return until;
  };
  const { pause, busy, ...rest } = intake;
  const changed = {
    ...rest,
    ...(patch.pause ? { pause: { ...patch.pause, until: untilOf('pause') } } : {}),
    ...(patch.pause === undefined && pause !== undefined ? { pause } : {}),
    ...(patch.busy ? { busy: { extraMinutes: patch.busy.extra_minutes, until: untilOf('busy') } } : {}),
    ...(patch.busy === undefined && busy !== undefined ? { busy } : {}),
  };
  errors.throwIfAny();
  return changed;
}

/** What is not stated stays; null resets a setting to its default. */
export function changeSettings(intake: KeptPace, patch: IntakeSettingsPatch): KeptPace {
  const kept = withoutNulls({ ...intake.settings, ...patch });
  return { ...intake, settings: { ...DEFAULT_PACE.settings, ...kept } };
}

/** Writes a change with its event. What changes nothing is no change. */
export async function changeIntake(
  tx: Transaction,
  store: RequestedStore,
  keyId: string,
  change: (intake: KeptPace) => KeptPace,
): Promise<KeptPace> {
  const before = await lockIntake(tx, store.id);
  const wanted = change(before);
  const parts = { before: shownParts(before), after: shownParts(wanted) };
  // The database gives keys back in an order of its own.
  const changed = Object.keys({ ...parts.before, ...parts.after }).filter(
    (name) => !isDeepStrictEqual(parts.before[name], parts.after[name]),
  );
  if (changed.length === 0) return before;
  const after = { ...wanted, revision: before.revision + 1 };
  await writeIntake(tx, store.id, after);
  await audit(tx, 'intake.changed', { storeId: store.id, subject: store.id, ...parts });
  const now = Date.now();
  const { state, until } = paceAt(currentPace(after, store.timezone ?? 'UTC'), now, EMPTY_KITCHEN).state();
  const act = { keyId, at: new Date(now).toISOString(), via: viaOf(tx.by) };
  await appendEvents(tx, store.storeKey, [newEvent(INTAKE_CHANGED, act, { changed, state, until })]);
  return after;
}

/** As the API names and writes them. */
function shownParts({ settings, pause, busy }: KeptPace): Readonly<Record<string, unknown>> {
  const toText = (moment: number) => new Date(moment).toISOString();
  return {
    pause: pause && { ...pause, until: toText(pause.until) },
    busy: busy && { extra_minutes: busy.extraMinutes, until: toText(busy.until) },
    ...settings,
  };
}
