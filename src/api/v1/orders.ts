import Type from 'typebox';
import type { Database } from '../../db/database.js';
import { createOrderLister } from '../../db/orders/list-orders.js';
import { createOrderReader, fillIn, isFilledIn } from '../../db/orders/read-orders.js';
import { exampleIds } from '../../domain/example-ids.js';
import { OrderDetail, OrderList } from '../../domain/order/shapes.js';
import { hasTag, jsonCacheable, jsonText, tagHeaders, unchanged } from '../../http/answer.js';
import { findOrder } from '../../http/find-resource.js';
import { listTag, type ListTags } from '../../http/list-tags.js';
import type { StreamWithSlot } from '../../http/request-limits.js';
import { IfNoneMatch, route, storeRoute, type Route } from '../../http/route.js';
import { OrderQuery, placeInQuery, toOrderFilter } from './order-query.js';
import { StoreParams } from './stores.js';

const OrderParams = Type.Object({
  order_service_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
});

const SUCCESS = '"result_code":"000000","result_message":"Success"';

export interface OrderContext {
  readonly db: Database;
  readonly streamWithSlot: StreamWithSlot;
  readonly listTags: ListTags;
}

export function orderRoutes(context: OrderContext): Route[] {
  const { streamWithSlot, listTags } = context;
  const listOrders = createOrderLister(context.db);
  const readOrder = createOrderReader(context.db);
  return [
    storeRoute({
      method: 'GET',
      path: '/v1/stores/{store_service_id}/orders/',
      operationId: 'list_orders',
      tag: 'Orders',
      summary: 'List orders of a store',
      description:
        'Newest first. `count` is the exact number of orders that match, whatever the page; filters combine with AND. ' +
        'Whoever asks again and again sends the tag along: without news the answer is 304.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_service_id',
      query: OrderQuery,
      headers: IfNoneMatch,
      isReadAhead: true,
      answers: [
        {
          status: 200,
          description: 'One page of the orders that match',
          schema: OrderList,
          headers: listTag.Tagged,
        },
        listTag.notModified,
      ],
      handler: async ({ db, store, query, queryText, request, expected }) => {
        const { page_index: index, page_size: size } = query;
        const filter = toOrderFilter(query, queryText);
        const page = { offset: (index - 1) * size, size };
        const asked = [store.storeKey, filter, page] as const;
        const given = request.headers['if-none-match'];
        if (given !== undefined) {
          const now = await listTags.now(asked, expected);
          if (hasTag(given, now)) return unchanged(tagHeaders(now));
        }
        const { count, list, lastChange } = await listOrders(store, filter, page, expected).catch(
          (error: unknown) => {
            throw placeInQuery(error);
          },
        );
        const start = `{"page_index":${index},"page_size":${size},"count":${count},${SUCCESS},"order_result_list":[`;
        const kept = tagHeaders(listTags.of(lastChange, asked));
        if (isFilledIn(list)) return jsonCacheable(`${start}${list}]}`, kept);
        const orders = fillIn(db, store.storeKey, list);
        return jsonCacheable(streamWithSlot(store, between(start, orders, ']}')), kept);
      },
    }),
    route({
      method: 'GET',
      path: '/v1/orders/{order_service_id}',
      operationId: 'get_order',
      tag: 'Orders',
      summary: 'Get order by identifier',
      permission: 'read',
      params: OrderParams,
      orderParam: 'order_service_id',
      isReadAhead: true,
      answers: [{ status: 200, description: 'The order', schema: OrderDetail }],
      findResource: (call) => findOrder(readOrder, call, call.params.order_service_id),
      handler: ({ resource }) => jsonText(`{${resource.json},${SUCCESS}}`),
    }),
  ];
}

async function* between(start: string, chunks: AsyncIterable<string>, end: string): AsyncGenerator<string> {
  yield start;
  yield* chunks;
  yield end;
}
