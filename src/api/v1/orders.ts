import Type, { type Static } from 'typebox';
import type { Database } from '../../db/database.js';
import { createOrderFinder } from '../../db/orders/find-orders.js';
import { createOrderReader } from '../../db/orders/order-reader.js';
import { exampleIds } from '../../domain/example-ids.js';
import { OrderDetail, OrderList } from '../../domain/order/shapes.js';
import { jsonText } from '../../http/answer.js';
import { locateOrder } from '../../http/locate-order.js';
import { route, storeRoute, type Route } from '../../http/route.js';
import { OrderQuery, toOrderFilter } from './order-query.js';
import { StoreParams } from './stores.js';

const OrderParams = Type.Object({
  order_service_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
});

const SUCCESS = '"result_code":"000000","result_message":"Success"';

export function orderRoutes(db: Database): Route[] {
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
      answers: [{ status: 200, description: 'One page of the orders that match', schema: OrderList }],
      handler: async ({ store, query, queryText }) => {
        const { page_index: index, page_size: size } = query;
        const filter = toOrderFilter(query, queryText);
        const found = await finder.find(store.storeKey, filter, { offset: (index - 1) * size, size });
        return jsonText(pageText(query, found.count, found.list));
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
      answers: [{ status: 200, description: 'The order', schema: OrderDetail }],
      locate: (call) => locateOrder(readOrder, call, call.params.order_service_id),
      handler: ({ target }) => jsonText(`{${target.json},${SUCCESS}}`),
    }),
  ];
}

function pageText(query: Static<typeof OrderQuery>, count: number, list: string): string {
  const { page_index: index, page_size: size } = query;
  return `{"page_index":${index},"page_size":${size},"count":${count},${SUCCESS},"order_result_list":[${list}]}`;
}
