import type { ListOrdersQuery, Operations } from './generated/operations.js';
import type { Order } from './generated/types.js';
import type { CallOptions } from './call.js';

const LARGEST_ORDER_PAGE = 100;
const LARGEST_PAGE = 1000;

export type OrderFilter = Omit<ListOrdersQuery, 'page_index' | 'page_size'>;

/**
 * Every order that matches, newest first. Each page starts at the moment where the last one ended, not at a number,
 * so an order that arrives or changes its status meanwhile makes no other appear twice or not at all.
 */
export async function* iterateOrders(
  listOrders: Operations['listOrders'],
  storeId: string,
  filter: OrderFilter = {},
  options: CallOptions = {},
): AsyncGenerator<Order> {
  let end = filter.end_time;
  let index = 1;
  let seen = new Set<string>();
  for (;;) {
    const query = { ...filter, end_time: end, page_index: index, page_size: LARGEST_ORDER_PAGE };
    const { order_result_list: orders = [] } = await listOrders(storeId, query, options);
    for (const order of orders) if (!seen.has(order.id)) yield order;
    const last = orders.at(-1);
    if (last === undefined || orders.length < LARGEST_ORDER_PAGE) return;

    const next = new Date(Date.parse(last.created_at) + 1).toISOString();
    const isSameMoment = next === end;
    const atTheSeam = orders.filter((order) => order.created_at === last.created_at).map(({ id }) => id);
    seen = new Set(isSameMoment ? [...seen, ...atTheSeam] : atTheSeam);
    index = isSameMoment ? index + 1 : 1;
    end = next;
  }
}

/** Every element of a list that is read by `skip` and `limit`. */
export async function* iterateList<T>(
  list: (page: { skip: number; limit: number }) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let skip = 0; ; skip += LARGEST_PAGE) {
    const page = await list({ skip, limit: LARGEST_PAGE });
    yield* page;
    if (page.length < LARGEST_PAGE) return;
  }
}
