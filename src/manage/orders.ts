import Type from 'typebox';
import type { Database } from '../db/database.js';
import { readHistory, type HistoryRow } from '../db/orders/change-orders.js';
import { listByChange } from '../db/orders/list-by-change.js';
import { createOrderReader, readManagedOrders } from '../db/orders/read-orders.js';
import { NotFound } from '../domain/errors.js';
import { exampleIds } from '../domain/example-ids.js';
import { storeKeyOfOrder } from '../domain/order/id.js';
import {
  ManagedOrder,
  ManagedOrderList,
  Order,
  OrderChange,
  orderExample,
  OrderPatch,
  OrderRequest,
} from '../domain/order/shapes.js';
import { Quote } from '../domain/quote/shapes.js';
import { OneOf } from '../domain/shape/common-shapes.js';
import { hasTag, json, jsonCacheable, jsonText, tagHeaders, unchanged } from '../http/answer.js';
import { Problem } from '../http/errors.js';
import { listTag, type ListTags } from '../http/list-tags.js';
import { findOrder } from '../http/find-resource.js';
import { IfNoneMatch, route, storeRoute, type Route } from '../http/route.js';
import type { Menus } from '../menu-rendering/menus.js';
import { takeInChecked } from '../operations/orders/take-in-checked-order.js';
import { createOrderChanges } from '../operations/orders/change-orders.js';
import { createOrderIntake } from '../operations/orders/take-in-order.js';
import { IdempotencyHeaders, readIdempotencyKey } from './idempotency-key.js';
import { ManagedOrderQuery, managedListText, toManagedFilter } from './order-query.js';
import { StoreParams, TrialStoreParams } from './stores.js';

const OrderParams = Type.Object({
  order_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
});

const IntakeQuery = Type.Object({
  check: Type.Optional(
    OneOf(['menu'], {
      description: '`menu`: take the order in only if the menu allows it, at these prices',
    }),
  ),
});

const OrderConflict = Type.Object(
  {
    detail: Type.String({ examples: ['The order comes to another total than expected'] }),
    quote: Type.Optional(Quote),
  },
  { $id: 'OrderConflict' },
);

export interface OrderContext {
  readonly db: Database;
  readonly menus: Pick<Menus, 'prices'>;
  /** This process's place in the counts. */
  readonly countSlot: number;
  readonly listTags: ListTags;
}

/** Taking orders in one by one and moving them along. */
export function orderRoutes({ db, menus, countSlot, listTags }: OrderContext): Route[] {
  const intake = createOrderIntake(db, countSlot);
  const changeOrder = createOrderChanges(db, countSlot);
  const readOrder = createOrderReader(db);
  const readManagedOrder = createOrderReader(db, readManagedOrders);
  return [
    storeRoute({
      method: 'POST',
      path: '/manage/v1/stores/{store_id}/orders',
      operationId: 'take_in_order',
      tag: 'Orders',
      summary: 'Take in an order',
      description:
        'An order under an Idempotency-Key or an external_id that the store has had before is given back as it is now, ' +
        'and nothing is created; with a different body it is refused. With `check=menu`, with an `expected_total`, or where the ' +
        'store has `orders_checked`, only what a quote would price is taken in.',
      permission: 'orders:write',
      params: TrialStoreParams,
      storeParam: 'store_id',
      headers: IdempotencyHeaders,
      query: IntakeQuery,
      body: { kind: 'json', schema: OrderRequest, example: orderExample },
      answers: [
        { status: 200, description: 'The order that has this external_id already', schema: Order },
        { status: 201, description: 'The order', schema: Order },
        {
          status: 409,
          description:
            'The same key or external_id came with a different body before, or the order comes to another total than expected',
          schema: OrderConflict,
        },
      ],
      handler: async (call) => {
        const clientKey = readIdempotencyKey(call);
        const ownKey = clientKey === undefined ? undefined : `${call.principal.id} ${clientKey}`;
        const { store, body: request } = call;
        const arrival = { store, request, keyId: call.principal.id, clientKey: ownKey };
        const isChecked =
          call.query.check !== undefined || request.expected_total !== undefined || store.ordersChecked;
        const taken = await (isChecked
          ? takeInChecked(intake, menus.prices, store, arrival)
          : intake.takeIn(arrival));
        return jsonText(taken.json, taken.is === 'repeated by external_id' ? 200 : 201);
      },
    }),
    route({
      method: 'PATCH',
      path: '/manage/v1/orders/{order_id}',
      operationId: 'change_order',
      tag: 'Orders',
      summary: 'Change an order',
      description:
        'Moves the order along its life cycle or changes what may change. Fields that are left out stay as they are; null clears the comments.',
      permission: 'orders:write',
      params: OrderParams,
      orderParam: 'order_id',
      body: { kind: 'json', schema: OrderPatch, example: { is_read: true, in_pos: true } },
      answers: [
        { status: 200, description: 'The order as it now is', schema: Order },
        { status: 409, description: 'The status cannot follow the present one', schema: Problem },
      ],
      findResource: (call) => findOrder(readOrder, call, call.params.order_id),
      handler: async ({ store, resource, body, principal }) => {
        if (store === undefined) throw new NotFound('Order');
        return jsonText(await changeOrder(store, { orderId: resource.id, patch: body, keyId: principal.id }));
      },
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/orders',
      operationId: 'list_managed_orders',
      tag: 'Orders',
      summary: 'List the orders of a store by last change',
      description:
        'Oldest change first. Where a filter leaves few of many orders, an answer may hold none and still say that there ' +
        'are more: go on from its cursor. To follow changes without missing one, read the events.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      query: ManagedOrderQuery,
      headers: IfNoneMatch,
      answers: [
        { status: 200, description: 'The orders', schema: ManagedOrderList, headers: listTag.Tagged },
        listTag.notModified,
      ],
      handler: async ({ db, store, query, queryText, request }) => {
        const { storeKey } = store;
        const filter = toManagedFilter(query, queryText);
        // Read before the list: a change in between leaves an old tag on a new list, which costs one more read; a new tag on an old
        // list would hide the change.
        const tag = await listTags.now([storeKey, filter, query.limit]);
        if (hasTag(request.headers['if-none-match'], tag)) return unchanged(tagHeaders(tag));
        const found = await listByChange(db, storeKey, filter, query.limit);
        return jsonCacheable(managedListText(found), tagHeaders(tag));
      },
    }),
    route({
      method: 'GET',
      path: '/manage/v1/orders/{order_id}',
      operationId: 'get_managed_order',
      tag: 'Orders',
      summary: 'Get an order with its external_id and revision',
      permission: 'read',
      params: OrderParams,
      orderParam: 'order_id',
      answers: [{ status: 200, description: 'The order', schema: ManagedOrder }],
      findResource: (call) => findOrder(readManagedOrder, call, call.params.order_id),
      handler: ({ resource }) => jsonText(`{${resource.json}}`),
    }),
    route({
      method: 'GET',
      path: '/manage/v1/orders/{order_id}/history',
      operationId: 'get_order_history',
      tag: 'Orders',
      summary: 'Get the changes of an order',
      description:
        'Oldest first. `from` is left out where the field had no value, `to` where it was cleared.',
      permission: 'read',
      params: OrderParams,
      orderParam: 'order_id',
      answers: [{ status: 200, description: 'The changes', schema: Type.Array(OrderChange) }],
      findResource: (call) => findOrder(readOrder, call, call.params.order_id),
      handler: async ({ db, resource }) =>
        json((await readHistory(db, storeKeyOfOrder(resource.id) ?? 0, resource.id)).map(toChange)),
    }),
  ];
}

function toChange({ time, key_id, field, from, to }: HistoryRow) {
  return {
    time: time.toISOString(),
    key_id,
    field,
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}
