import { readKeptRanges, type KeptRange, type EventSlice, type SliceRequest } from '../../db/events.js';
import type { Queryable } from '../../db/database.js';
import type { EventType, StoredEvent } from '../../domain/event/event.js';
import { refuseLost, type FeedPosition } from './feed-position.js';

/** Reads a stretch of one store's events; readers of the same stretch may share one query. */
export type ReadSlice = (request: SliceRequest) => Promise<EventSlice>;

export interface PageRequest {
  readonly limit: number;
  readonly types: readonly EventType[] | undefined;
}

export interface StoresEvent {
  readonly storeKey: number;
  readonly event: StoredEvent;
}

export interface EventPage {
  readonly events: readonly StoresEvent[];
  /** Where the page ends. */
  readonly position: FeedPosition;
  readonly hasMore: boolean;
}

/**
 * The next events after a position: of each store in the order of their numbers, of several stores by time. Those of several
 * stores are read store by store, each getting its share, so that a busy one cannot keep the others' events back.
 */
export async function readPage(
  db: Queryable,
  readSlice: ReadSlice,
  position: FeedPosition,
  { limit, types }: PageRequest,
): Promise<EventPage> {
  const isOne = position.lastSeen.size === 1;
  const ranges = isOne ? undefined : await readKeptRanges(db, [...position.lastSeen.keys()]);
  if (ranges !== undefined) refuseLost(position, ranges);
  const behind = [...position.lastSeen].filter(
    ([storeKey, sequence]) => ranges === undefined || sequence < (ranges.get(storeKey)?.last ?? 0),
  );
  const read = behind.length > limit ? chooseAny(behind, limit) : behind;
  const share = Math.max(1, Math.floor(limit / Math.max(1, read.length)));

  const found = new Map<number, KeptRange>();
  const lastSeen = new Map(position.lastSeen);
  const events: StoresEvent[][] = [];
  for (const [storeKey, after] of read) {
    const slice = await readSlice({ storeKey, after, limit: share, types });
    found.set(storeKey, slice.kept);
    lastSeen.set(storeKey, slice.reached);
    events.push(slice.events.map((event) => ({ storeKey, event })));
  }
  refuseLost(position, found);
  const hasMore =
    read.length < behind.length ||
    [...found].some(([storeKey, { last }]) => (lastSeen.get(storeKey) ?? 0) < last);
  return { events: mergeByTime(events), position: { ...position, lastSeen }, hasMore };
}

/** Not always the same ones: whoever asks for few events of many stores gets all of them in the end. */
function chooseAny<T>(all: readonly T[], count: number): T[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, count);
}

/** Clocks differ: an event never comes before one with a lower number, whatever its time says. */
function mergeByTime(perStore: readonly (readonly StoresEvent[])[]): StoresEvent[] {
  const [only = [], second] = perStore;
  if (second === undefined) return [...only];
  const timed = perStore.flatMap((events) => {
    let latest = '';
    return events.map((each) => {
      if (each.event.at > latest) latest = each.event.at;
      return { each, latest };
    });
  });
  return timed
    .sort((a, b) => (a.latest < b.latest ? -1 : a.latest > b.latest ? 1 : 0))
    .map(({ each }) => each);
}
