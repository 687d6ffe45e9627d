import { Type, type Static } from '../support/shape/type.js';
import { problem } from '../http/errors.js';
import { IdempotencyHeaders, readIdempotencyKey } from '../http/idempotency.js';
import { json, jsonText } from '../http/response.js';
import { route, storeRoute, type Route } from '../http/route.js';
import { Quote } from '../quotes/shapes.js';
import { parseDatetime } from '../support/datetime.js';
import { viaOf } from '../support/actor.js';
import { NotFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { reportValueError, ValidationFailed } from '../support/error-details.js';
import { Datetime, ExternalId, Limit, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { NamesOf, readNames } from '../support/shape/compile-query.js';
import { withRule } from '../support/shape/compile-shape.js';
import { isResourceId, newUuidV7 } from '../support/uuid.js';
import { StoreParams, TrialStoreParams } from '../tenants/routes.manage.js';
import { readHistory, toChange } from './change.sql.js';
import { storeOfOrder } from './id.js';
import {
  decodeChangeCursor,
  encodeChangeCursor,
  FIRST_PLACE,
  isLater,
  listByChange,
  placeAfter,
  type ChangeCursor,
  type ManagedFilter,
  type ManagedOrders,
} from './list/by-change.sql.js';
import type { Orders } from './orders.js';
import { PaymentRequest } from './fact-shapes.js';
import { findOrder } from './read.sql.js';
import { ManagedOrder, ManagedOrderList, OrderChange } from './shapes.js';
import { orderExample, OrderPatch, OrderRequest } from './request-shapes.js';
import { ORDER_STATUSES } from './status.js';

const OrderParams = Type.Object({
  order_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
});

const IntakeQuery = Type.Object({
  check: Type.Optional(
    OneOf(['menu'], {
      description: '`menu`: accept the order only if it matches the menu and its prices',
    }),
  ),
});

export const OrderConflict = NamedShape('OrderConflict', {
  detail: Type.String({ examples: ['The total differs from the expected one'] }),
  quote: Type.Optional(Quote),
});

/** As many as a page of the interface's list has at most. */
const MOST_IDS = 100;
const ID_LENGTH = 36;

const ManagedOrderQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      maxLength: MOST_IDS * (ID_LENGTH + 1) - 1,
      description: `Only orders with these ids, separated by commas, at most ${MOST_IDS}; unknown ids are left out`,
      examples: [exampleIds.order],
    }),
  ),
  external_id: Type.Optional(
    ExternalId({ description: 'Only the order with this external_id', examples: ['till-1-000042'] }),
  ),
  status: Type.Optional(
    NamesOf(ORDER_STATUSES, {
      description: `Only orders with one of these statuses, separated by commas: ${ORDER_STATUSES.join(', ')}`,
      examples: ['PENDING,ACCEPTED'],
    }),
  ),
  is_read: Type.Optional(
    Type.Boolean({ description: 'Only orders that have been read, or have not', examples: [false] }),
  ),
  in_pos: Type.Optional(
    Type.Boolean({ description: 'Only orders that are in the POS, or are not', examples: [false] }),
  ),
  reference: Type.Optional(
    withRule(
      Type.String({
        maxLength: 300,
        description: 'Only orders with this reference: its name, a colon and its value',
        examples: ['till:146'],
      }),
      (text, visit) => {
        if (!text.includes(':'))
          reportValueError(visit, 'a name, a colon and a value, such as till:146', text);
      },
    ),
  ),
  updated_after: Type.Optional(
    Datetime({ description: 'Only orders changed after this time', examples: ['2026-01-01T00:00:00Z'] }),
  ),
  limit: Limit,
  cursor: Type.Optional(
    withRule(Type.String({ description: 'The cursor of the previous page' }), (text, visit) => {
      if (decodeChangeCursor(text) === undefined) reportValueError(visit, 'not a cursor of this list');
    }),
  ),
});

export function orderRoutes(orders: Orders): Route[] {
  return [
    storeRoute('POST', '/manage/v1/stores/{store_id}/orders', 'take_in_order', {
      tag: 'Orders',
      summary: 'Create an order',
      description:
        'If the store already has an order with this Idempotency-Key or external_id, it is returned in its current state and nothing is ' +
        'created; a different body is a conflict. With `check=menu`, an `expected_total`, or `orders_checked` on the store, only ' +
        'an order that a quote would price is accepted.',
      permission: 'orders:write',
      params: TrialStoreParams,
      headers: IdempotencyHeaders,
      query: IntakeQuery,
      body: { kind: 'json', schema: OrderRequest, example: orderExample },
      responses: [
        { status: 200, description: 'The existing order', schema: ManagedOrder },
        { status: 201, description: 'The order', schema: ManagedOrder },
        {
          status: 409,
          description:
            'The key or external_id was used with a different body, or the total differs from the expected one',
          schema: OrderConflict,
        },
      ],
      handler: async (call) => {
        const clientKey = readIdempotencyKey(call);
        const ownKey = clientKey === undefined ? undefined : `${call.principal.id} ${clientKey}`;
        const { store, body: request } = call;
        const { id: keyId, label } = call.principal;
        const arrival = { store, request, keyId, label, via: viaOf(call.by), clientKey: ownKey };
        const isChecked =
          call.query.check !== undefined || request.expected_total !== undefined || store.ordersChecked;
        if (!isChecked && request.ready_by === undefined)
          throw new ValidationFailed([{ loc: ['body', 'ready_by'], msg: 'Field required', type: 'missing' }]);
        const taken = await (isChecked ? orders.takeInChecked(arrival) : orders.takeIn(arrival));
        return jsonText(taken.json, taken.status);
      },
    }),
    route('PATCH', '/manage/v1/orders/{order_id}', 'change_order', {
      tag: 'Orders',
      summary: 'Change an order',
      description:
        'Changes the status or other fields of an order. Omitted fields stay as they are; null clears optional ones. What was ordered ' +
        'and what the order says beside its lines can change until it is final. Lines that stay are not checked again in an ' +
        'order that was checked against the menu; units that are added are. A total that is not stated moves with the lines.',
      permission: 'orders:write',
      params: OrderParams,
      storeOfPath: storeOfOrder('order_id'),
      body: { kind: 'json', schema: OrderPatch, example: { is_read: true, in_pos: true } },
      responses: [
        { status: 200, description: 'The order after the change', schema: ManagedOrder },
        problem(
          409,
          'The order cannot go from its current status to this one, is final, or has another revision',
        ),
      ],
      findResource: (call) => findOrder(orders.read, call, call.params.order_id),
      handler: async ({ store, params, body, principal, by }) => {
        if (store === undefined) throw new NotFound('Order');
        const { id: keyId, label } = principal;
        const change = { orderId: params.order_id, patch: body, keyId, label, via: viaOf(by) };
        return jsonText(await orders.change(store, change));
      },
    }),
    route('POST', '/manage/v1/orders/{order_id}/payments', 'add_payment', {
      tag: 'Orders',
      summary: 'Record a payment',
      description:
        'Records money that was paid elsewhere, in any status of the order; a refund is negative. No money is moved. The same ' +
        '`external_id` and body again changes nothing.',
      permission: 'orders:write',
      params: OrderParams,
      storeOfPath: storeOfOrder('order_id'),
      body: { kind: 'json', schema: PaymentRequest, example: { method: 'card', amount: 429 } },
      responses: [
        { status: 200, description: 'The order, which had this payment already', schema: ManagedOrder },
        { status: 201, description: 'The order with the payment', schema: ManagedOrder },
        problem(409, 'The order has another payment with this external_id, or too many'),
      ],
      findResource: (call) => findOrder(orders.read, call, call.params.order_id),
      handler: async ({ store, params, body, by }) => {
        if (store === undefined) throw new NotFound('Order');
        const payment = { id: newUuidV7(), ...body };
        const change = { orderId: params.order_id, patch: {}, payment, keyId: by.keyId, by };
        const order = await orders.change(store, change);
        return jsonText(order, order.includes(`"id":"${payment.id}"`) ? 201 : 200);
      },
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/orders', 'list_managed_orders', {
      tag: 'Orders',
      summary: 'List the orders of a store by last change',
      description:
        'Oldest change first. With a filter that matches few of many orders, a page may be empty although there ' +
        'are more: continue from its cursor. To follow every change, read the events.',
      permission: 'kitchen:read',
      params: StoreParams,
      query: ManagedOrderQuery,
      responses: [{ status: 200, description: 'The orders', schema: ManagedOrderList }],
      handler: async ({ db, store, query, queryText }) => {
        const filter = toManagedFilter(query, queryText);
        return jsonText(managedListText(await listByChange(db, store.storeKey, filter, query.limit)));
      },
    }),
    route('GET', '/manage/v1/orders/{order_id}', 'get_managed_order', {
      tag: 'Orders',
      summary: 'Get an order with its external_id and revision',
      description: 'The order as it is now, with what the interface does not show.',
      permission: 'kitchen:read',
      params: OrderParams,
      storeOfPath: storeOfOrder('order_id'),
      responses: [{ status: 200, description: 'The order', schema: ManagedOrder }],
      findResource: (call) => findOrder(orders.readManaged, call, call.params.order_id),
      handler: ({ resource }) => jsonText(resource),
    }),
    route('GET', '/manage/v1/orders/{order_id}/history', 'get_order_history', {
      tag: 'Orders',
      summary: 'Get the changes of an order',
      description: 'Oldest first. `from` is absent if the field had no value, `to` if it was cleared.',
      permission: 'kitchen:read',
      params: OrderParams,
      storeOfPath: storeOfOrder('order_id'),
      responses: [{ status: 200, description: 'The changes', schema: Type.Array(OrderChange) }],
      findResource: (call) => findOrder(orders.read, call, call.params.order_id),
      handler: async ({ db, store, params }) =>
        json((await readHistory(db, store?.storeKey ?? 0, params.order_id)).map(toChange)),
    }),
  ];
}

function toManagedFilter(
  query: Static<typeof ManagedOrderQuery>,
  raw: Readonly<Record<string, string>>,
): ManagedFilter {
  const places = [decodeChangeCursor(query.cursor ?? ''), readUpdatedAfter(raw['updated_after'])];
  return {
    ids: query.ids?.split(',').filter(isResourceId),
    externalId: query.external_id,
    reference: query.reference,
    statuses: readNames(query.status, ORDER_STATUSES),
    isRead: query.is_read,
    inPos: query.in_pos,
    after: places.reduce<ChangeCursor>(
      (latest, place) => (place !== undefined && isLater(place, latest) ? place : latest),
      FIRST_PLACE,
    ),
  };
}

function managedListText({ orders, end, hasMore }: ManagedOrders): string {
  return `{"orders":[${orders.join()}],"cursor":"${encodeChangeCursor(end)}","has_more":${hasMore}}`;
}

/** Changes are kept to the millisecond: what a finer moment says beyond it is left out. */
function readUpdatedAfter(text: string | undefined): ChangeCursor | undefined {
  const parsed = text === undefined ? undefined : parseDatetime(text);
  return parsed?.ok === true ? placeAfter(parsed.instant.ms) : undefined;
}
