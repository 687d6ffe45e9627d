import type { SharedDatabase } from '../postgres/database.js';
import { readEpoch, readEventSlice, readKeptRanges, type KeptRange } from '../events/events.sql.js';
import { readManagedOrders } from '../orders/read.sql.js';
import { eventText, orderIdOf, type StoredEvent } from '../events/event.js';
import type { EventWatch } from './watch.js';
import {
  cursorOf,
  findPosition,
  refuseLost,
  resubscribe,
  type FeedPosition,
  type Start,
  type Subscription,
} from './position.js';

export interface FeedRequest {
  /** The database, limited to the caller's share. */
  readonly db: SharedDatabase;
  readonly limit: number;
  /** Only events of these types; undefined for all. */
  readonly types: readonly string[] | undefined;
  readonly withOrders: boolean;
}

export interface WatchRequest extends FeedRequest {
  readonly signal: AbortSignal;
  /** Checks the key again; throws when it no longer grants access. */
  readonly reauthorize: () => Promise<Subscription>;
}

/** An event as JSON, with the cursor that continues after it. */
interface FeedText {
  readonly type: string;
  readonly cursor: string;
  readonly json: string;
}

interface FeedPage {
  readonly texts: readonly FeedText[];
  readonly position: FeedPosition;
  readonly hasMore: boolean;
}

export type EventFeed = ReturnType<typeof createEventFeed>;

/** Reads the events of stores page by page from any position. */
export function createEventFeed(watch: EventWatch) {
  /** Throws EventsGone if events after the start are no longer kept. */
  const find = async (own: SharedDatabase, subscription: Subscription, start: Start) => {
    const epoch = await readEpoch(own);
    const ranges = await readKeptRanges(own, [...subscription.stores.keys()]);
    return findPosition(ranges, subscription, epoch, start);
  };

  const read = async (position: FeedPosition, request: FeedRequest) =>
    writeTexts(await readPage(position, request), position, request);

  return {
    find,
    read,
    /** Reads a page, and waits for the first event if there is none yet. */
    async await(subscription: Subscription, start: Start, request: WatchRequest, waitMs: number) {
      const end = performance.now() + waitMs;
      let page = await read(await find(request.db, subscription, start), request);
      while (page.texts.length === 0) {
        const left = end - performance.now();
        if (left <= 0 || request.signal.aborted || watch.hasEnded()) break;
        if (!page.hasMore) await watch.wait(page.position.lastSeen, left, request.signal);
        page = await read(resubscribe(page.position, await request.reauthorize()), request);
      }
      return page;
    },
  };
}

interface StoreEvent {
  readonly storeKey: number;
  readonly event: StoredEvent;
}

interface EventPage {
  readonly events: readonly StoreEvent[];
  /** Where the page ends. */
  readonly position: FeedPosition;
  readonly hasMore: boolean;
}

/**
 * The next events after a position: by sequence within a store, by time across stores. Each store gets its share of the page,
 * so that a busy one cannot hold back the others.
 */
async function readPage(position: FeedPosition, { db, limit, types }: FeedRequest): Promise<EventPage> {
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
  const events: StoreEvent[][] = [];
  for (const [storeKey, after] of read) {
    const slice = await readEventSlice(db, { storeKey, after, limit: share, types });
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

/** Rotates through the stores, so that small pages over many stores reach all of them. */
function chooseAny<T>(all: readonly T[], count: number): T[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, count);
}

/** Clocks differ, so an event never comes before one of its store with a lower sequence, whatever its time. */
function mergeByTime(perStore: readonly (readonly StoreEvent[])[]): StoreEvent[] {
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

/** A page ends early at this size, with at least one event. */
const MOST_BYTES = 1_000_000;

/** Renders the page; with `include=order`, order events carry the order in its current state, unless it has been removed. */
async function writeTexts(page: EventPage, from: FeedPosition, request: FeedRequest): Promise<FeedPage> {
  const orders = request.withOrders ? await readOrdersOf(request.db, page.events) : undefined;
  const texts: FeedText[] = [];
  const lastSeen = new Map(from.lastSeen);
  let size = 0;
  for (const { storeKey, event } of page.events) {
    const id = orders && orderIdOf(event);
    const order = id === undefined ? undefined : orders?.get(id);
    const isLeftOut = id !== undefined && order === undefined && orders?.has(id) === true;
    if (isLeftOut || (size > 0 && size + event.data.length + (order?.length ?? 0) > MOST_BYTES))
      return { texts, position: { ...from, lastSeen }, hasMore: true };
    lastSeen.set(storeKey, event.sequence);
    const cursor = cursorOf({ ...from, lastSeen });
    const storeId = from.subscription.stores.get(storeKey) ?? '';
    const json = eventText(event, { storeId, cursor }, order);
    size += json.length;
    texts.push({ type: event.type, cursor, json });
  }
  return { texts, position: page.position, hasMore: page.hasMore };
}

/** The JSON of as many orders as fit, by order id; at least the first of each store. Those that have been removed are absent. */
async function readOrdersOf(
  db: SharedDatabase,
  events: readonly StoreEvent[],
): Promise<Map<string, string | undefined>> {
  const perStore = new Map<number, Set<string>>();
  for (const { storeKey, event } of events) {
    const id = orderIdOf(event);
    if (id === undefined) continue;
    const ids = perStore.get(storeKey);
    if (ids === undefined) perStore.set(storeKey, new Set([id]));
    else ids.add(id);
  }
  const texts = new Map<string, string | undefined>();
  for (const [storeKey, ids] of perStore)
    for (const [id, text] of await readManagedOrders(db, storeKey, [...ids])) texts.set(id, text);
  return texts;
}
