import { BOUNDS } from '../support/bounds.js';
import type { IncomingHttpHeaders } from 'node:http';
import { Type, type Static } from '../support/shape/type.js';
import { reportValueError, valueError, type Loc } from '../support/error-details.js';
import { decodeCursor } from '../events/cursor.js';
import { EventTypes, EVENT_TYPES, EventList, EventsGoneProblem, FeedEvent } from './shapes.js';
import { Defaulted, OneOf, Limit } from '../support/shape/common-shapes.js';
import { cursorFits, type Subscription, type Start, cursorOf } from './position.js';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { findNamedStores } from '../tenants/stores.sql.js';
import { scopeOf, type Principal } from '../access/principal.js';
import type { Limits } from '../support/limits.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import { eventStream } from '../http/event-stream.js';
import { jsonText, type Response } from '../http/response.js';
import { ownerOf } from '../http/request-limits.js';
import { route, storeRoute, type RouteRequest, type Route } from '../http/route.js';
import { createEventFeed } from './feed.js';
import { streamEvents } from './stream.js';
import type { EventWatch } from './watch.js';
import { readNames } from '../support/shape/compile-query.js';
import { withRule } from '../support/shape/compile-shape.js';
import { mostStores, MOST_STORES, parsePart, PartQuery } from '../tenants/part.js';
import { StoreParams } from '../tenants/routes.manage.js';

interface OfPart {
  readonly part?: string;
}

type CallOfKey = Pick<RouteRequest<unknown, OfPart>, 'db' | 'query' | 'reauthorize'>;

interface EventContext {
  readonly limits: Limits;
  readonly watch: EventWatch;
}

const NO_CURSOR = 'not a cursor of these events; send one exactly as received, or now';
const EVENTS_A_PAGE = 100;

const StreamQuery = Type.Object({
  after: Type.Optional(
    withRule(
      Type.String({
        description: 'Return events after this cursor, of an event or a page, or `now`',
        examples: ['now'],
      }),
      (text, visit) => {
        if (text !== 'now' && decodeCursor(text) === undefined) reportValueError(visit, NO_CURSOR);
      },
    ),
  ),
  types: Type.Optional(EventTypes),
  include: Type.Optional(
    OneOf(['order'], {
      description: 'Add the order, in its current state, to each order event',
      examples: ['order'],
    }),
  ),
});

const FeedQuery = Type.Object({
  ...StreamQuery.properties,
  limit: Limit,
  wait: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for an event if there is none yet',
      examples: [0],
    }),
  ),
});

const GONE = {
  status: 410,
  description: 'Events after the cursor are no longer kept. Read the list of orders again',
  schema: EventsGoneProblem,
};
const FEED_RESPONSES = [{ status: 200, description: 'The events, oldest first', schema: EventList }, GONE];
const STREAM_RESPONSES = [
  {
    status: 200,
    description: 'One message per event: `id` is its cursor, `event` its type, `data` the event',
    schema: FeedEvent,
    contentType: 'text/event-stream',
  },
  GONE,
];
const STREAM_DESCRIPTION =
  'Server-Sent Events. `Last-Event-ID` resumes after that cursor and takes precedence over `after`. Without ' +
  'either, the stream starts now. A comment is sent at least every 15 seconds. A client that does not read is disconnected and ' +
  'can resume.';

const OfKey = { part: PartQuery };
const FeedOfKeyQuery = Type.Object({ ...FeedQuery.properties, ...OfKey });
const StreamOfKeyQuery = Type.Object({ ...StreamQuery.properties, ...OfKey });

/** The event feed and the live stream. */
export function eventRoutes({ limits, watch }: EventContext): Route[] {
  const feed = createEventFeed(watch);
  const pages = createFairSemaphore(BOUNDS.streamPages);

  const ofStore = (store: RequestedStore): Subscription => ({
    of: 'store',
    stores: new Map([[store.storeKey, store.id]]),
  });
  const ofKey = async ({ db, query }: CallOfKey, principal: Principal): Promise<Subscription> => {
    const part = parsePart(query.part);
    const most = mostStores(part);
    const stores = await findNamedStores(db, scopeOf(principal), { part }, most + 1);
    if (stores.length > most) {
      const advice = part === undefined ? 'read them by part, as part=1/8' : 'ask for smaller parts';
      throw valueError(['query'], `more than ${most} stores; ${advice}`);
    }
    return { of: 'all stores', stores: new Map(stores.map(({ storeKey, id }) => [storeKey, id])) };
  };
  /** Checks the key again and returns the stores it may follow now. */
  const reauthorize = (call: CallOfKey) => async (): Promise<Subscription> => {
    const { principal, store } = await call.reauthorize();
    return store === undefined ? ofKey(call, principal) : ofStore(store);
  };

  const readFeed = async (
    call: RouteRequest<unknown, Static<typeof FeedQuery> & OfPart>,
    subscription: Subscription,
  ) => {
    const { after, types, include, limit, wait } = call.query;
    const start = after === undefined ? 'oldest' : readStart(after, subscription, ['query', 'after']);
    const wanted = {
      db: call.db,
      limit,
      types: readNames(types, EVENT_TYPES),
      withOrders: include === 'order',
      signal: call.signal(),
      reauthorize: reauthorize(call),
    };
    const { texts, position, hasMore } = await feed.await(subscription, start, wanted, wait * 1000);
    const events = texts.map(({ json }) => json).join();
    return jsonText(`{"events":[${events}],"cursor":"${cursorOf(position)}","has_more":${hasMore}}`);
  };

  const openStream = async (
    call: RouteRequest<unknown, Static<typeof StreamQuery> & OfPart>,
    subscription: Subscription,
  ): Promise<Response> => {
    const { after = 'now', types, include } = call.query;
    const start = readStreamStart(call.request.headers, after, subscription);
    const withOrders = include === 'order';
    const signal = call.signal();
    const body = streamEvents(feed, watch, await feed.find(call.db, subscription, start), {
      db: call.db,
      limit: EVENTS_A_PAGE,
      types: readNames(types, EVENT_TYPES),
      withOrders,
      signal,
      reauthorize: reauthorize(call),
      acquirePage: withOrders ? () => pages.acquire({ owner: ownerOf(call.principal), signal }) : undefined,
    });
    return eventStream(body, limits.requestSeconds * 1000);
  };

  const common = { tag: 'Events', permission: 'kitchen:read', isHeldOpen: true } as const;
  const ofOneStore = { ...common, params: StoreParams } as const;
  return [
    storeRoute('GET', '/manage/v1/stores/{store_id}/events', 'list_store_events', {
      ...ofOneStore,
      summary: 'Read the events of a store',
      description: 'Oldest first, after a cursor or from the oldest kept event.',
      query: FeedQuery,
      responses: FEED_RESPONSES,
      handler: (call) => readFeed(call, ofStore(call.store)),
    }),
    route('GET', '/manage/v1/events', 'list_events', {
      ...common,
      summary: 'Read the events of all stores of the key',
      description: `For at most ${MOST_STORES.whole} stores, or ${MOST_STORES.part.toLocaleString('en')} of a \`part\`. Events of one store come in sequence; stores are merged by time.`,
      query: FeedOfKeyQuery,
      responses: FEED_RESPONSES,
      handler: async (call) => readFeed(call, await ofKey(call, call.principal)),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/events/stream', 'stream_store_events', {
      ...ofOneStore,
      summary: 'Watch the events of a store',
      description: STREAM_DESCRIPTION,
      query: StreamQuery,
      responses: STREAM_RESPONSES,
      handler: (call) => openStream(call, ofStore(call.store)),
    }),
    route('GET', '/manage/v1/events/stream', 'stream_events', {
      ...common,
      summary: 'Watch the events of all stores of the key',
      description: STREAM_DESCRIPTION,
      query: StreamOfKeyQuery,
      responses: STREAM_RESPONSES,
      handler: async (call) => openStream(call, await ofKey(call, call.principal)),
    }),
  ];
}

/** Throws if the text is not a cursor, or one of other stores. */
function readStart(text: string, subscription: Subscription, loc: Loc): Start {
  if (text === 'now') return 'now';
  const cursor = decodeCursor(text);
  if (cursor === undefined || !cursorFits(subscription, cursor)) throw valueError(loc, NO_CURSOR);
  return cursor;
}

/** A browser that reconnects sends its position in a header; the `after` in its URL is older. */
function readStreamStart(headers: IncomingHttpHeaders, after: string, subscription: Subscription): Start {
  const lastId = headers['last-event-id'];
  return typeof lastId === 'string' && lastId !== ''
    ? readStart(lastId, subscription, ['header', 'Last-Event-ID'])
    : readStart(after, subscription, ['query', 'after']);
}
