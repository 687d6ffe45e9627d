import type { ListOrdersQuery, Operations } from './generated/operations.js';
import type { Order } from './generated/types.js';
import type { CallOptions } from './call.js';
import { ComandaError } from './errors.js';

const LARGEST_ORDER_PAGE = 100;
const LARGEST_PAGE = 1000;
/** More orders than any store creates within one millisecond. */
const MOST_OF_ONE_MOMENT = 1_000_000;

export type OrderFilter = Omit<ListOrdersQuery, 'page_index' | 'page_size'>;

/**
 * Yields every matching order, newest first. Each page starts at the time of the last order read, not at a page number,
 * so orders that arrive or change meanwhile cause no duplicates and no gaps.
 */
export async function* iterateOrders(
  listOrders: Operations['listOrders'],
  storeId: string,
  filter: OrderFilter = {},
  options: CallOptions = {},
): AsyncGenerator<Order> {
  let seam: string | undefined;
  let index = 1;
  let seen = new Set<string>();
  for (;;) {
    const page = { page_index: index, page_size: LARGEST_ORDER_PAGE };
    const range = seam === undefined ? {} : { end_time: seam };
    const answer = await listOrders(storeId, { ...filter, ...range, ...page }, options);
    const orders = checkedPage(answer.order_result_list ?? []);
    if (orders.some(isNotBefore(seam))) throw pagesWithoutEnd();
    const unseen = orders.filter(({ id }) => !seen.has(id));
    yield* unseen;
    const last = orders.at(-1);
    if (last === undefined || orders.length < LARGEST_ORDER_PAGE) return;

    const next = new Date(Date.parse(last.created_at) + 1).toISOString();
    const isSameMoment = next === seam;
    if ((isSameMoment && unseen.length === 0) || seen.size > MOST_OF_ONE_MOMENT) throw pagesWithoutEnd();
    if (!isSameMoment) seen = new Set();
    for (const order of orders) if (order.created_at === last.created_at) seen.add(order.id);
    index = isSameMoment ? index + 1 : 1;
    seam = next;
  }
}

function isNotBefore(moment: string | undefined): (order: Order) => boolean {
  return ({ created_at: time }) => moment !== undefined && Date.parse(time) >= Date.parse(moment);
}

/** Yields every element of a list that is paged with `skip` and `limit`. */
export async function* iterateList<T extends { readonly id: string }>(
  list: (page: { skip: number; limit: number }) => Promise<T[]>,
): AsyncGenerator<T> {
  let firstOfLast: string | undefined;
  for (let skip = 0; ; skip += LARGEST_PAGE) {
    const page = checkedPage(await list({ skip, limit: LARGEST_PAGE }));
    if (page.length > 0 && page[0]?.id === firstOfLast) throw pagesWithoutEnd();
    firstOfLast = page[0]?.id;
    yield* page;
    if (page.length < LARGEST_PAGE) return;
  }
}

function checkedPage<T>(page: T[]): T[] {
  if (Array.isArray(page)) return page;
  throw new ComandaError('The response is not the requested list; check the base URL');
}

function pagesWithoutEnd(): ComandaError {
  return new ComandaError('The service keeps returning the same page; check the base URL');
}
