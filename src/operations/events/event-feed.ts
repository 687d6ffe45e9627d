import { createBatch, createBatches } from '../../db/batch.js';
import type { Database, SharedDatabase } from '../../db/database.js';
import {
  readEpoch,
  readEventSlice,
  readKeptRanges,
  type KeptRange,
  type EventSlice,
  type SliceRequest,
} from '../../db/events.js';
import { readManagedTexts } from '../../db/orders/read-orders.js';
import type { EventWatch } from './event-watch.js';
import { writeTexts, type EventText, type KnownTexts, type TextPage } from './event-texts.js';
import {
  cursorOf,
  findPosition,
  positionOfCursor,
  refollow,
  type Followed,
  type FeedPosition,
  type Start,
} from './feed-position.js';
import { readPage, type PageRequest, type ReadSlice } from './read-page.js';

export interface FeedRequest extends PageRequest {
  /** The part of the database that is asked. */
  readonly db: SharedDatabase;
  readonly withOrders: boolean;
}

interface WaitRequest extends FeedRequest {
  readonly waitMs: number;
  readonly gone: AbortSignal;
  /** Asks again who reads, and what may be seen, after time has passed; throws when nothing may be any more. */
  readonly lookAgain: () => Promise<Followed>;
}

/** The events of stores, read a page at a time from any position on. */
export interface EventFeed {
  /** Throws EventsGone where something has been lost since. */
  find(own: SharedDatabase, followed: Followed, start: Start): Promise<FeedPosition>;
  /** With `isShared`, readers that stand at the same position share one query. */
  read(position: FeedPosition, request: FeedRequest, isShared?: 'shared'): Promise<TextPage>;
  /** Finds and reads; where there is nothing yet it waits for the first event. */
  await(followed: Followed, start: Start, request: WaitRequest): Promise<FeedAnswer>;
}

interface FeedAnswer {
  readonly texts: readonly EventText[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

export function createEventFeed(db: Database, watch: EventWatch): EventFeed {
  const readShared = createSharedReader((request) => readEventSlice(db, request));
  const readKnownEpoch = createEpochReader(db);
  const epochFor = (start: Start) => readKnownEpoch(typeof start === 'string' ? undefined : start.epoch);
  const readSharedRanges = createRangeReader();
  const find: EventFeed['find'] = async (own, followed, start) => {
    const epoch = await epochFor(start);
    return findPosition(await readSharedRanges(own, followed), followed, epoch, start);
  };
  const known: KnownTexts = new WeakMap();

  const read: EventFeed['read'] = async (position, request, isShared) => {
    const { db: own } = request;
    const readAlone: ReadSlice = (slice) => readEventSlice(own, slice);
    const page = await readPage(own, isShared === undefined ? readAlone : readShared, position, request);
    const readOrders = (storeKey: number, ids: readonly string[]) => readManagedTexts(own, storeKey, ids);
    return writeTexts(page, position, known, request.withOrders ? readOrders : undefined);
  };

  return {
    read,
    find,
    async await(followed, start, request) {
      const end = performance.now() + request.waitMs;
      const position =
        positionOfCursor(followed, await epochFor(start), start) ?? (await find(request.db, followed, start));
      let page = await read(position, request);
      while (page.texts.length === 0) {
        const left = end - performance.now();
        if (left <= 0 || request.gone.aborted || watch.hasEnded()) break;
        if (!page.hasMore) await watch.wait(page.position.lastSeen, left, request.gone);
        page = await read(refollow(page.position, await request.lookAgain()), request);
      }
      return { texts: page.texts, cursor: cursorOf(page.position), hasMore: page.hasMore };
    },
  };
}

/** One query at a time, and one for all who ask the same. */
function createSharedReader(read: ReadSlice): ReadSlice {
  return createBatch<SliceRequest, EventSlice>({
    identityOf: ({ storeKey, after, limit, types }) => `${storeKey} ${after} ${limit} ${types?.join() ?? ''}`,
    run: async (requests) => {
      const slices: (EventSlice | Error)[] = [];
      for (const request of requests)
        slices.push(await read(request).catch((error: unknown) => error as Error));
      return slices;
    },
  });
}

/** One query for all who begin at the same moment with the same stores: a thousand tills come back at once. */
function createRangeReader() {
  const readAlike = createBatches<RangesRequest, undefined, ReadonlyMap<number, KeptRange>>(
    ({ storeKeys }) => storeKeys.join(),
    ({ own, storeKeys }) => ({ run: async () => [await readKeptRanges(own, storeKeys)] }),
  );
  return (own: SharedDatabase, { stores }: Followed) =>
    readAlike({ own, storeKeys: [...stores.keys()] }, undefined);
}

interface RangesRequest {
  readonly own: SharedDatabase;
  readonly storeKeys: readonly number[];
}

const EPOCH_FOR_MS = 5_000;

/** Only a restore changes the epoch; a cursor of another epoch is a sign to look at once. */
function createEpochReader(db: Database): (expected: string | undefined) => Promise<string> {
  const readNow = createBatch<undefined, string>({ run: async () => [await readEpoch(db)] });
  let known: { readonly epoch: string; readonly until: number } | undefined;
  return async (expected) => {
    const isFresh = known !== undefined && known.until > performance.now();
    if (known === undefined || !isFresh || (expected !== undefined && expected !== known.epoch))
      known = { epoch: await readNow(undefined), until: performance.now() + EPOCH_FOR_MS };
    return known.epoch;
  };
}
