import { MerchantMoving, NotFound } from '../support/errors.js';
import type { NewEvent, StoredEvent } from './event.js';
import type { Queryable, Topic, Transaction, Database } from '../postgres/database.js';

/** Sent when this process has committed events of a store; `lastSequence` is the number of the last one. */
export const EVENTS_WRITTEN: Topic<{ readonly storeKey: number; readonly lastSequence: number }> = {
  name: 'events written',
};

/**
 * Numbers and appends events. Until its commit the transaction blocks all other writers of the store's events, so this must be
 * the last thing it does.
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
  const lastSequence = row?.last ?? undefined;
  if (lastSequence !== undefined) tx.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
}

/** Some of the stores that were to get events have been deleted since they were found. */
export class StoresDeleted extends NotFound {
  constructor(readonly storeKeys: readonly number[]) {
    super('Store');
  }
}

/** Appends one event to each of many stores, by store key, in two statements. */
export async function appendToStores(tx: Transaction, events: ReadonlyMap<number, NewEvent>): Promise<void> {
  // Locks counters in the order of store keys, like every writer, to avoid deadlocks.
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
  const deleted = counters.filter(({ is_closed: isClosed }) => isClosed);
  if (deleted.length > 0) await refuseMovingStores(tx, deleted);
  if (deleted.length > 0) throw new StoresDeleted(deleted.map(({ store_key: storeKey }) => storeKey));
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
  lasts.forEach((lastSequence, storeKey) => tx.notify(EVENTS_WRITTEN, { storeKey, lastSequence }));
}

/** The counters of a merchant that moves are closed too, but its stores are still here. */
async function refuseMovingStores(tx: Transaction, closed: readonly CounterRow[]): Promise<void> {
  const moving = await tx.query({
    name: 'events-moving-stores',
    text: 'SELECT 1 FROM stores s WHERE s.store_key = ANY ($1::integer[]) LIMIT 1',
    values: [closed.map(({ store_key: storeKey }) => storeKey)],
  });
  if (moving.length > 0) throw new MerchantMoving();
}

interface CounterRow {
  readonly store_key: number;
  readonly last_sequence: number;
  readonly is_closed: boolean;
}

/** The kept events of a store: from `first` to `last`; none if `first` is `last + 1`. */
export interface KeptRange {
  readonly first: number;
  readonly last: number;
}

const NO_EVENTS: KeptRange = { first: 1, last: 0 };

/** The kept range of each store, by store key. */
export async function readKeptRanges(
  db: Queryable,
  storeKeys: readonly number[],
): Promise<Map<number, KeptRange>> {
  const ranges = new Map(storeKeys.map((storeKey) => [storeKey, NO_EVENTS]));
  if (storeKeys.length === 0) return ranges;
  const rows = await db.read<KeptRange & { storeKey: number }>({
    name: 'event-ranges',
    text: `
      SELECT c.store_key AS "storeKey", c.first_sequence AS first, c.last_sequence AS last
      FROM event_counters c WHERE c.store_key = ANY ($1::integer[])`,
    values: [storeKeys],
  });
  for (const { storeKey, first, last } of rows) ranges.set(storeKey, { first, last });
  return ranges;
}

interface EventRow {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly data: string;
}

/**
 * The events of a store after a sequence, oldest first. A gap before the first one means that earlier events are no longer
 * kept.
 */
export async function readEvents(
  db: Queryable,
  storeKey: number,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await db.read<EventRow>({
    name: 'events-read',
    text: `
      SELECT e.sequence, e.id, e.type, e.at, e.data FROM events e
      WHERE e.store_key = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT $3`,
    values: [storeKey, after, limit],
  });
  return rows.map(toEvent);
}

/** The epoch in this installation's cursors, which changes when a backup is restored. */
export async function readEpoch(db: Queryable): Promise<string> {
  const [row] = await db.read<{ epoch: string }>({
    name: 'event-epoch',
    text: 'SELECT e.epoch FROM event_epoch e',
  });
  if (row === undefined) throw new Error('The table event_epoch has lost its row');
  return row.epoch;
}

/** A slice of a store's events, and the range that is kept. */
export interface EventSlice {
  readonly kept: KeptRange;
  readonly events: readonly StoredEvent[];
  /** The last sequence that was examined. */
  readonly reached: number;
}

export interface SliceRequest {
  readonly storeKey: number;
  readonly after: number;
  readonly limit: number;
  /** Only events of these types; undefined for all. */
  readonly types?: readonly string[] | undefined;
}

/** Most events examined per query for a reader of few types. */
const MOST_LOOKED_AT = 10_000;

/** Range and events come from one snapshot, so no event of these types lies between the last one found and the end of the range. */
export async function readEventSlice(db: Queryable, request: SliceRequest): Promise<EventSlice> {
  const { storeKey, after, limit, types } = request;
  const rows = await db.read<KeptRange & (EventRow | { readonly sequence: null })>({
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
  });
  const events = rows.flatMap((row) => (row.sequence === null ? [] : [toEvent(row)]));
  const kept = rows[0] === undefined ? NO_EVENTS : { first: rows[0].first, last: rows[0].last };
  const end = Math.min(after + MOST_LOOKED_AT, kept.last);
  return { kept, events, reached: events.length === limit ? (events.at(-1)?.sequence ?? end) : end };
}

function toEvent({ sequence, id, type, at, data }: EventRow): StoredEvent {
  return { sequence, id, type, at: at.toISOString(), data };
}

const STORES_AT_ONCE = 100;
const EVENTS_AT_ONCE = 1_000;

interface OldStore {
  readonly store_key: number;
  readonly first: number;
  readonly last: number;
}

/** Removes some events from before the given time, oldest first per store; true when there may be more. */
export async function pruneEvents(
  db: Pick<Database, 'read' | 'transaction'>,
  before: Date,
): Promise<boolean> {
  const stores = await db.read<OldStore>({
    name: 'events-old-stores',
    text: `
      SELECT c.store_key, c.first_sequence AS first, c.last_sequence AS last
      FROM event_counters c JOIN events e ON e.store_key = c.store_key AND e.sequence = c.first_sequence
      WHERE e.at < $1 LIMIT ${STORES_AT_ONCE}`,
    values: [before],
  });
  let removed = 0;
  for (const store of stores) removed += await db.transaction((tx) => pruneStore(tx, store, before));
  return removed > 0;
}

/** Stops at the first event to keep, so that the kept events have no gaps. */
async function pruneStore(tx: Transaction, store: OldStore, before: Date): Promise<number> {
  const { store_key: storeKey, first, last } = store;
  const end = Math.min(first + EVENTS_AT_ONCE, last + 1);
  const [kept] = await tx.query<{ first: number | null }>({
    name: 'events-first-young',
    text: `
      SELECT min(e.sequence) AS first FROM events e
      WHERE e.store_key = $1 AND e.sequence >= $2 AND e.sequence < $3 AND e.at >= $4`,
    values: [storeKey, first, end, before],
  });
  const newFirst = kept?.first ?? end;
  const removed = await tx.query({
    name: 'events-remove',
    text: 'DELETE FROM events e WHERE e.store_key = $1 AND e.sequence >= $2 AND e.sequence < $3 RETURNING 1',
    values: [storeKey, first, newFirst],
  });
  // Last, like every writer, because other writers of the store's events wait for this row.
  await tx.query({
    name: 'events-set-first',
    text: `
      UPDATE event_counters SET first_sequence = greatest(event_counters.first_sequence, $2)
      WHERE event_counters.store_key = $1`,
    values: [storeKey, newFirst],
  });
  return removed.length;
}
