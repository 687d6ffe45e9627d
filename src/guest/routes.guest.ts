import { createClientAddress } from '../http/client-address.js';
import { problem } from '../http/errors.js';
import { RequiredIdempotencyHeaders, requireIdempotencyKey } from '../http/idempotency.js';
import { eventStream } from '../http/event-stream.js';
import { json, jsonText } from '../http/response.js';
import { describeTag, IfNoneMatch, route, type Route, type RouteRequest } from '../http/route.js';
import { GuestMenu } from '../menus/response-shapes.js';
import { MenuMoment } from '../menus/routes.manage.js';
import { OrderConflict } from '../orders/routes.manage.js';
import { isFinal } from '../orders/status.js';
import { createQuotes } from '../quotes/quote-store.js';
import { basketExample } from '../quotes/routes.manage.js';
import { Quote } from '../quotes/shapes.js';
import { viaOf } from '../support/actor.js';
import { NotFound, requireFound } from '../support/errors.js';
import type { ManagedStore } from '../tenants/shapes.js';
import { getStore } from '../tenants/stores.sql.js';
import { firstLanguage } from '../support/languages.js';
import type { GuestContext } from './context.js';
import { createAddressLimit, createStreamLimit } from './limits.js';
import { respondWithMenu } from './menu.js';
import { guestIntake, guestSettings, showOrder, toOrderRequest } from './order.js';
import { readOriginal, type GuestsOrder } from './orders.sql.js';
import { readTokenSeed } from './places.sql.js';
import { tokenOf } from './secrets.js';
import {
  CodeParams,
  GuestOrder,
  GuestOrderProgress,
  GuestOrderRequest,
  GuestQuoteRequest,
  PlaceInfo,
  TokenParams,
} from './shapes.js';
import { createFollowOrder } from './stream.js';

/** Who has done what a guest does, in events and in the history of an order. */
const GUEST = 'guest';

const { Tagged, notModifiedSpec } = describeTag('Changes with the menu, its stock, and which menus are open');

/** What guests do, without a key. */
export function guestRoutes(context: GuestContext): Route[] {
  const { db, menus, storePace, orders, limits, watch, readOrder } = context;
  const isLimited = limits.requestsPerSecond !== 'off';
  const addresses = createAddressLimit(isLimited);
  const addressOf = createClientAddress(context.trustedProxies);
  const quote = createQuotes(menus, storePace);
  const followOrder = createFollowOrder(db, watch);
  const countStream = createStreamLimit();

  const guest = { permission: GUEST, findResource: context.findPlace } as const;
  const atPlace = { ...guest, tag: 'Places', params: CodeParams } as const;
  const ofOrder = {
    ...guest,
    tag: 'Orders',
    params: TokenParams,
    findResource: async (call: RouteRequest) => {
      const order = requireFound(call.resource as GuestsOrder | undefined, 'Order');
      return { ...(await guest.findResource(call)), order };
    },
  } as const;
  const orderResponse = { status: 200, description: 'The order', schema: GuestOrder };

  return [
    route('GET', '/guest/v1/places/{code}', 'get_place', {
      ...atPlace,
      summary: 'Get a place',
      description: 'The store, whether it takes orders now, and what guests are asked for.',
      responses: [{ status: 200, description: 'The place', schema: PlaceInfo }],
      handler: async ({ db: own, resource: { store, place } }) => {
        const shown = requireFound(await getStore(own, store.id), 'Place');
        const pace = await storePace.paceOf(own, store, Date.now());
        const { slots: _, ...intakeNow } = await pace.describe();
        const { list } = await menus.prices.read(store, store.menu);
        const { name, phone } = guestSettings(shown);
        const info: PlaceInfo = {
          store: {
            name: shown.name as PlaceInfo['store']['name'],
            ...(shown.location_name === undefined ? {} : { location_name: shown.location_name }),
            timezone: store.timezone ?? 'UTC',
            ...(store.currency === undefined ? {} : { currency: store.currency }),
            ...(place.kind === 'pickup' ? contactOf(shown) : {}),
          },
          place: { label: place.label, kind: place.kind },
          intake: intakeNow,
          languages: [...new Set([firstLanguage(shown.name) ?? [], list.languages].flat())],
          wants: { name, phone },
          ...(shown.guest?.welcome === undefined ? {} : { welcome: shown.guest.welcome }),
        };
        return json(info);
      },
    }),
    route('GET', '/guest/v1/places/{code}/menu', 'get_guest_menu', {
      ...atPlace,
      summary: 'Get the menu',
      description: 'What can be ordered; what is sold out is marked.',
      headers: IfNoneMatch,
      query: MenuMoment,
      responses: [
        { status: 200, description: 'The menu', schema: GuestMenu, headers: Tagged },
        notModifiedSpec,
      ],
      handler: (call) =>
        respondWithMenu(menus, storePace, {
          ...call,
          store: call.resource.store,
          at: call.query.at === undefined ? undefined : Date.parse(call.query.at),
        }),
    }),
    route('POST', '/guest/v1/places/{code}/quote', 'quote_basket', {
      ...atPlace,
      summary: 'Price a basket',
      description: 'Returns its total and when it will be ready, or every reason why it cannot be ordered.',
      body: { kind: 'json', schema: GuestQuoteRequest, example: basketExample },
      responses: [{ status: 200, description: 'The basket, priced', schema: Quote }],
      handler: async ({ db: own, resource: { store }, body }) => jsonText(await quote(own, store, body)),
    }),
    route('POST', '/guest/v1/places/{code}/orders', 'place_order', {
      ...atPlace,
      summary: 'Order',
      description:
        'Checked against menu and kitchen as they are now. Use a new Idempotency-Key for each order, and the same one to repeat a ' +
        'request whose response was lost: it is one order however often it is sent.',
      headers: RequiredIdempotencyHeaders,
      body: {
        kind: 'json',
        schema: GuestOrderRequest,
        example: { ...basketExample, customer: { name: 'Ana' }, expected_total: { price: 840, tax: 84 } },
      },
      responses: [
        { status: 201, description: 'The order', schema: GuestOrder },
        {
          status: 409,
          description:
            'The total has changed, with a quote, or the Idempotency-Key was used with a different body',
          schema: OrderConflict,
        },
      ],
      handler: async (call) => {
        const clientKey = requireIdempotencyKey(call);
        const { db: own, request, body } = call;
        const { store, place } = call.resource;
        const shownStore = await getStore(own, store.id);
        const seed = await readTokenSeed(own, store.storeKey, place.id);
        if (shownStore === undefined || seed === undefined) throw new NotFound('Place');
        const address = addressOf(request);
        const taken = await orders.takeInChecked({
          store,
          request: toOrderRequest(body, guestSettings(shownStore)),
          keyId: GUEST,
          via: viaOf(call.by),
          clientKey: `place ${place.id} ${clientKey}`,
          guest: guestIntake({
            db: own,
            store,
            shownStore,
            place,
            seed,
            clientKey,
            requireAddress: () => addresses.require(address),
            isLimited,
          }),
        });
        const { id } = taken;
        addresses.note(address, id);
        const order = requireFound(taken.made ?? (await readOrder(store, id)), 'Order');
        return json(showOrder(order, tokenOf(id, seed, clientKey)), 201);
      },
    }),
    route('GET', '/guest/v1/orders/{token}', 'get_guest_order', {
      ...ofOrder,
      summary: 'Get an order',
      description: 'The order as it is now, for whoever has its token.',
      responses: [orderResponse],
      handler: async ({ db: own, resource: { store, order }, params: { token } }) =>
        json(showOrder(order, token, await readOriginal(own, store.storeKey, order))),
    }),
    route('GET', '/guest/v1/orders/{token}/stream', 'stream_guest_order', {
      ...ofOrder,
      summary: 'Watch an order',
      description:
        'Server-Sent Events: a message `order` with what has changed, first as it is now, until the order is final. A comment is ' +
        'sent at least every 15 seconds.',
      isHeldOpen: true,
      responses: [
        {
          status: 200,
          description: 'A message for each change',
          schema: GuestOrderProgress,
          contentType: 'text/event-stream',
        },
        { status: 204, description: 'The order is final, and the client has seen it' },
      ],
      handler: ({ resource: { store, order }, params: { token }, request, signal }) => {
        // A browser that reconnects stops at 204.
        if (isFinal(order.status) && request.headers['last-event-id'] === String(order.revision))
          return { status: 204, headers: [] };
        const closed = signal();
        countStream(token, closed);
        const body = followOrder(store.storeKey, () => readOrder(store, order.id), closed);
        return eventStream(body, limits.requestSeconds * 1000);
      },
    }),
    route('POST', '/guest/v1/orders/{token}/cancel', 'cancel_guest_order', {
      ...ofOrder,
      summary: 'Cancel an order',
      description: 'As long as the store has not accepted it.',
      responses: [orderResponse, problem(409, 'The store has accepted it, or it is final')],
      handler: async ({ by, resource: { store, order }, params: { token } }) => {
        const text = await orders.change(store, {
          orderId: order.id,
          patch: { status: 'CUSTOMER_CANCELLED' },
          keyId: GUEST,
          via: viaOf(by),
          from: 'PENDING',
        });
        const { status, ready_by: readyBy } = JSON.parse(text) as Pick<GuestOrder, 'status' | 'ready_by'>;
        return json(showOrder({ ...order, status, readyBy }, token));
      },
    }),
  ];
}

/** Where to go, and whom to call. */
function contactOf(store: ManagedStore): Pick<PlaceInfo['store'], 'address' | 'phone'> {
  const {
    address_line_1: first,
    address_line_2: second,
    address_line_3: third,
    postal_code: code,
    city,
  } = store;
  const town = [code, city].filter(Boolean).join(' ');
  const address = [first, second, third, town].filter(Boolean).join(', ');
  const phone = store.store_phone ?? store.phone_numbers?.[0]?.phone_number;
  return { ...(address === '' ? {} : { address }), ...(phone === undefined ? {} : { phone }) };
}
