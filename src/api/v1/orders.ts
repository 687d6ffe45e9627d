import Type from 'typebox';
import type { Database } from '../../db/database.js';
import { createOrderFinder } from '../../db/orders/find-orders.js';
import { fillIn, isFilledIn } from '../../db/orders/fill-in.js';
import { createOrderReader } from '../../db/orders/order-reader.js';
import { exampleIds } from '../../domain/example-ids.js';
import { OrderDetail, OrderList } from '../../domain/order/shapes.js';
import { jsonChunks, jsonText } from '../../http/answer.js';
import { locateOrder } from '../../http/locate-order.js';
import { route, storeRoute, type Route } from '../../http/route.js';
import type { StreamInTurn } from '../../http/stream-turns.js';
import { OrderQuery, placeInQuery, toOrderFilter } from './order-query.js';
import { StoreParams } from './stores.js';

const OrderParams = Type.Object({
  order_service_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
});

const SUCCESS = '"result_code":"000000","result_message":"Success"';

export function orderRoutes(db: Database, streamInTurn: StreamInTurn): Route[] {
  const finder = createOrderFinder(db);
  const readOrder = createOrderReader(db);
  return [
    storeRoute({
      method: 'GET',
      path: '/v1/stores/{store_service_id}/orders/',
      operationId: 'list_orders',
      tag: 'Orders',
      summary: 'List orders of a store',
      description:
        'Newest first. `count` is the exact number of orders that match, whatever the page; filters combine with AND.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_service_id',
      query: OrderQuery,
      isReadAhead: true,
      answers: [{ status: 200, description: 'One page of the orders that match', schema: OrderList }],
      handler: async ({ store, query, queryText }) => {
        const { page_index: index, page_size: size } = query;
        const filter = toOrderFilter(query, queryText);
        const page = { offset: (index - 1) * size, size };
        const { count, list } = await finder.find(store, filter, page).catch((error: unknown) => {
          throw placeInQuery(error);
        });
        const start = `{"page_index":${index},"page_size":${size},"count":${count},${SUCCESS},"order_result_list":[`;
        if (isFilledIn(list)) return jsonText(`${start}${list}]}`);
        const orders = fillIn(db.of(store), store.storeKey, list);
        return jsonChunks(streamInTurn(store, between(start, orders, ']}')));
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
      locate: (call) => locateOrder(readOrder, call, call.params.order_service_id),
      handler: ({ target }) => jsonText(`{${target.json},${SUCCESS}}`),
    }),
  ];
}

async function* between(start: string, chunks: AsyncIterable<string>, end: string): AsyncGenerator<string> {
  yield start;
  yield* chunks;
  yield end;
}
