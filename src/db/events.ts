import { NotFound } from '../domain/errors.js';
import type { EventType, NewEvent, StoredEvent } from '../domain/event/event.js';
import type { Queryable, Transaction } from './database.js';

/**
 * Gives the events their numbers. From here to its commit the transaction keeps all others that write events of the
 * store waiting, so it must be the last thing that it does.
 */
export async function appendEvents(
  tx: Transaction,
  storeKey: number,
  events: readonly NewEvent[],
): Promise<void> {
  const [row] = await tx.query<{ last: number | null }>({
    name: 'events-append',
    text: 'SELECT append_events($1, $2, $3, $4, $5) AS last',
    values: [
      storeKey,
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ at }) => at),
      events.map(({ data }) => data),
    ],
  });
  const last = row?.last ?? undefined;
  if (last !== undefined) tx.tellEvents(storeKey, last);
}

/** The same for one event of each of many stores, by store key, with two statements however many there are. */
export async function appendToStores(tx: Transaction, events: ReadonlyMap<number, NewEvent>): Promise<void> {
  // In the order of the stores, as every writer takes the counters of several.
  const told = [...events].sort(([a], [b]) => a - b);
  const counters = await tx.query<CounterRow>({
    name: 'events-count-each',
    text: `
      INSERT INTO event_counters AS c (store_key, first_sequence, last_sequence)
      SELECT s.store_key, 1, 1 FROM unnest($1::integer[]) AS s (store_key) ORDER BY s.store_key
      ON CONFLICT (store_key) DO UPDATE SET last_sequence = c.last_sequence + 1
      RETURNING c.store_key, c.last_sequence, c.is_closed`,
    values: [told.map(([storeKey]) => storeKey)],
  });
  if (counters.some(({ is_closed: isDeleted }) => isDeleted)) throw new NotFound('Store');
  const lasts = new Map(counters.map((counter) => [counter.store_key, counter.last_sequence]));
  await tx.query({
    name: 'events-insert-each',
    text: `
      INSERT INTO events (store_key, sequence, id, type, at, data)
      SELECT * FROM unnest($1::integer[], $2::bigint[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[])`,
    values: [
      told.map(([storeKey]) => storeKey),
      told.map(([storeKey]) => lasts.get(storeKey)),
      told.map(([, { id }]) => id),
      told.map(([, { type }]) => type),
      told.map(([, { at }]) => at),
      told.map(([, { data }]) => data),
    ],
  });
  lasts.forEach((last, storeKey) => tx.tellEvents(storeKey, last));
}

interface CounterRow {
  readonly store_key: number;
  readonly last_sequence: number;
  readonly is_closed: boolean;
}

/** Which events of a store are kept: from `first` to `last`, none where `first` is `last + 1`. */
export interface KeptRange {
  readonly first: number;
  readonly last: number;
}

const NO_EVENTS: KeptRange = { first: 1, last: 0 };

/** One for each of the stores, by store key. */
export async function readKeptRanges(
  db: Queryable,
  storeKeys: readonly number[],
): Promise<Map<number, KeptRange>> {
  const ranges = new Map(storeKeys.map((storeKey) => [storeKey, NO_EVENTS]));
  if (storeKeys.length === 0) return ranges;
  const rows = await db.query<KeptRange & { storeKey: number }>({
    name: 'event-ranges',
    text: `
      SELECT c.store_key AS "storeKey", c.first_sequence AS first, c.last_sequence AS last
      FROM event_counters c WHERE c.store_key = ANY ($1::integer[])`,
    values: [storeKeys],
    repeatable: true,
  });
  for (const { storeKey, first, last } of rows) ranges.set(storeKey, { first, last });
  return ranges;
}

interface EventRow {
  readonly sequence: number;
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly data: string;
}

/**
 * The events of a store after a sequence, oldest first. Where the first of them is not the next in number, those
 * between are no longer kept.
 */
export async function readEvents(
  db: Queryable,
  storeKey: number,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await db.query<EventRow>({
    name: 'events-read',
    text: `
      SELECT e.sequence, e.id, e.type, e.at, e.data FROM events e
      WHERE e.store_key = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT $3`,
    values: [storeKey, after, limit],
    repeatable: true,
  });
  return rows.map(toEvent);
}

/** What the cursors of this installation carry; a restore of a backup changes it. */
export async function readEpoch(db: Queryable): Promise<string> {
  const [row] = await db.query<{ epoch: string }>({
    name: 'event-epoch',
    text: 'SELECT e.epoch FROM event_epoch e',
    repeatable: true,
  });
  if (row === undefined) throw new Error('The table event_epoch has lost its row');
  return row.epoch;
}

/** A stretch of a store's events, and which of them are kept at all. */
export interface EventSlice {
  readonly kept: KeptRange;
  readonly events: readonly StoredEvent[];
  /** The last number that was looked at. */
  readonly reached: number;
}

export interface SliceRequest {
  readonly storeKey: number;
  readonly after: number;
  readonly limit: number;
  /** Only events of these types; undefined for all. */
  readonly types?: readonly EventType[] | undefined;
}

/** Where a reader wants few of many events, this many at most are looked through for it. */
const MOST_LOOKED_AT = 10_000;

/** The kept range and the events come from one snapshot: after the last event found, up to the last number, there is none of these types. */
export async function readEventSlice(db: Queryable, request: SliceRequest): Promise<EventSlice> {
  const { storeKey, after, limit, types } = request;
  const rows = await db.query<KeptRange & Partial<Nullable<EventRow>>>({
    name: 'events-slice',
    text: `
      SELECT c.first_sequence AS first, c.last_sequence AS last, e.sequence, e.id, e.type, e.at, e.data
      FROM event_counters c
      LEFT JOIN LATERAL (
        SELECT * FROM events e
        WHERE e.store_key = $1 AND e.sequence > $2 AND e.sequence <= $2 + ${MOST_LOOKED_AT}
          AND ($4::text[] IS NULL OR e.type = ANY ($4))
        ORDER BY e.sequence LIMIT $3
      ) e ON true
      WHERE c.store_key = $1
      ORDER BY e.sequence`,
    values: [storeKey, after, limit, types ?? null],
    repeatable: true,
  });
  const events = rows.flatMap((row) => (isEvent(row) ? [toEvent(row)] : []));
  const kept = rows[0] === undefined ? NO_EVENTS : { first: rows[0].first, last: rows[0].last };
  const end = Math.min(after + MOST_LOOKED_AT, kept.last);
  return { kept, events, reached: events.length === limit ? (events.at(-1)?.sequence ?? end) : end };
}

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

function isEvent(row: Partial<Nullable<EventRow>>): row is EventRow {
  return typeof row.sequence === 'number';
}

function toEvent({ sequence, id, type, at, data }: EventRow): StoredEvent {
  return { sequence, id, type, at: at.toISOString(), data };
}
