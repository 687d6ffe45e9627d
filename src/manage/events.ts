import type { Static } from 'typebox';
import { createBatch } from '../db/batch.js';
import type { RequestedStore } from '../db/callers.js';
import type { Database, Queryable } from '../db/database.js';
import { listStoreKeys } from '../db/stores.js';
import { valueError } from '../domain/faults.js';
import { EVENT_TYPES } from '../domain/event/event.js';
import { EventList, EventsGoneProblem, FeedEvent } from '../domain/event/shapes.js';
import { scopeOf, type Principal, type StoreScope } from '../domain/key/principal.js';
import type { Limits } from '../domain/limits.js';
import { createSlots } from '../domain/slots.js';
import { jsonText, type Answer } from '../http/answer.js';
import { ownerOf } from '../http/request-limits.js';
import { route, storeRoute, type Call, type Route } from '../http/route.js';
import { createEventFeed } from '../operations/events/event-feed.js';
import { streamEvents } from '../operations/events/event-stream.js';
import type { EventWatch } from '../operations/events/event-watch.js';
import type { Followed } from '../operations/events/feed-position.js';
import { readNames } from '../domain/shape/compile-query.js';
import { FeedQuery, readStart, readStreamStart, StreamQuery } from './event-query.js';
import { StoreParams } from './stores.js';

interface EventContext {
  readonly db: Database;
  readonly limits: Limits;
  readonly watch: EventWatch;
}

const MOST_STORES = 200;
const TOO_MANY_STORES = `this key sees more than ${MOST_STORES} stores; read the events of each of them`;
const EVENTS_A_PAGE = 100;
/** A page of events with their orders is about a megabyte: when many readers are slow, others wait for their pages. */
const PAGES_IN_MEMORY = { size: 64, perOwner: 16 };

const STREAM_HEADERS = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-store',
  'x-accel-buffering',
  'no',
  'x-content-type-options',
  'nosniff',
];

const GONE = {
  status: 410,
  description: 'Events after the cursor are no longer kept: read the list of orders again',
  schema: EventsGoneProblem,
};
const FEED_ANSWERS = [{ status: 200, description: 'The events, oldest first', schema: EventList }, GONE];
const STREAM_ANSWERS = [
  {
    status: 200,
    description: 'A message for each event: `id` is its cursor, `event` its type, `data` the event',
    schema: FeedEvent,
    contentType: 'text/event-stream',
  },
  GONE,
];
const STREAM_DESCRIPTION =
  'Server-Sent Events. `Last-Event-ID` goes on behind the event with that cursor and counts before `after`; without ' +
  'either the stream begins now. A comment comes at least every 15 seconds. A client that does not read is cut off and ' +
  'can go on where it was.';

/** What has happened in stores: read from any point on, or watched live. */
export function eventRoutes({ db, limits, watch }: EventContext): Route[] {
  const feed = createEventFeed(db, watch);
  const pages = createSlots(PAGES_IN_MEMORY);
  const listStores = createStoreList(db);

  const ofStore = (store: RequestedStore): Followed => ({
    of: 'store',
    stores: new Map([[store.storeKey, store.id]]),
  });
  const ofKey = async (principal: Principal): Promise<Followed> => {
    const stores = await listStores(scopeOf(principal));
    if (stores.size > MOST_STORES) throw valueError(['query'], TOO_MANY_STORES);
    return { of: 'all stores', stores };
  };
  /** What the request may follow, asked anew. */
  const lookAgain = (call: Call) => async (): Promise<Followed> => {
    const { principal, store } = await call.recheckCaller();
    return store === undefined ? ofKey(principal) : ofStore(store);
  };

  const readFeed = async (call: Call<unknown, Static<typeof FeedQuery>>, followed: Followed) => {
    const { after, types, include, limit, wait } = call.query;
    const wanted = {
      db: call.db,
      limit,
      types: readNames('types', types, EVENT_TYPES),
      withOrders: include === 'order',
    };
    const start = after === undefined ? 'oldest' : readStart(after, followed, ['query', 'after']);
    const { texts, cursor, hasMore } = await feed.await(followed, start, {
      ...wanted,
      waitMs: wait * 1000,
      gone: call.gone(),
      lookAgain: lookAgain(call),
    });
    const events = texts.map(({ json }) => json).join();
    return jsonText(`{"events":[${events}],"cursor":"${cursor}","has_more":${hasMore}}`);
  };

  const openStream = async (
    call: Call<unknown, Static<typeof StreamQuery>>,
    followed: Followed,
  ): Promise<Answer> => {
    const { after = 'now', types, include } = call.query;
    const start = readStreamStart(call.request.headers, after, followed);
    const withOrders = include === 'order';
    const gone = call.gone();
    const body = streamEvents(feed, watch, await feed.find(call.db, followed, start), {
      db: call.db,
      limit: EVENTS_A_PAGE,
      types: readNames('types', types, EVENT_TYPES),
      withOrders,
      gone,
      lookAgain: lookAgain(call),
      takePage: withOrders ? () => pages.take({ owner: ownerOf(call.principal), gone }) : undefined,
    });
    return { status: 200, headers: STREAM_HEADERS, body, stallMs: limits.requestSeconds * 1000 };
  };

  return [
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/events',
      operationId: 'list_store_events',
      tag: 'Events',
      summary: 'Read the events of a store',
      description: 'Oldest first, after a cursor or from the oldest that is kept.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      query: FeedQuery,
      isHeldOpen: true,
      answers: FEED_ANSWERS,
      handler: (call) => readFeed(call, ofStore(call.store)),
    }),
    route({
      method: 'GET',
      path: '/manage/v1/events',
      operationId: 'list_events',
      tag: 'Events',
      summary: 'Read the events of all stores of the key',
      description: `For at most ${MOST_STORES} stores. Events of one store keep their order; those of several come by time.`,
      permission: 'read',
      query: FeedQuery,
      isHeldOpen: true,
      answers: FEED_ANSWERS,
      handler: async (call) => readFeed(call, await ofKey(call.principal)),
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/events/stream',
      operationId: 'stream_store_events',
      tag: 'Events',
      summary: 'Watch the events of a store',
      description: STREAM_DESCRIPTION,
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      query: StreamQuery,
      isHeldOpen: true,
      answers: STREAM_ANSWERS,
      handler: (call) => openStream(call, ofStore(call.store)),
    }),
    route({
      method: 'GET',
      path: '/manage/v1/events/stream',
      operationId: 'stream_events',
      tag: 'Events',
      summary: 'Watch the events of all stores of the key',
      description: STREAM_DESCRIPTION,
      permission: 'read',
      query: StreamQuery,
      isHeldOpen: true,
      answers: STREAM_ANSWERS,
      handler: async (call) => openStream(call, await ofKey(call.principal)),
    }),
  ];
}

/** Those who ask for the stores of the same key at the same moment share one query. */
function createStoreList(db: Database): (scope: StoreScope) => Promise<ReadonlyMap<number, string>> {
  return createBatch<StoreScope, ReadonlyMap<number, string>>({
    identityOf: (scope) => JSON.stringify(scope),
    run: (scopes) =>
      Promise.all(
        scopes.map((scope) =>
          listStoreKeys(partOf(db, scope), scope, MOST_STORES + 1).catch((error: unknown) => error as Error),
        ),
      ),
  });
}

function partOf(db: Database, { merchantId }: StoreScope): Queryable {
  return merchantId === undefined ? db : db.of({ merchantId });
}
