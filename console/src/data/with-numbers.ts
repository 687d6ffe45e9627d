import type { Order } from '#sdk';
import { client } from './client.js';

export interface NumberedOrder extends Order {
  readonly number: number | undefined;
  readonly external_id: string | undefined;
}

/** A page of orders with the numbers that the kitchen calls, which the interface's list leaves out. */
export async function withNumbers(
  storeId: string,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<NumberedOrder[]> {
  if (orders.length === 0) return [];
  const numbers = new Map<string, Pick<NumberedOrder, 'number' | 'external_id'>>();
  const ids = orders.map(({ id }) => id).join();
  // One answer holds them all, unless some of the orders are very large.
  for (let cursor: string | undefined; ;) {
    const page = await client.listManagedOrders(storeId, { ids, cursor }, { signal });
    for (const { id, number, external_id } of page.orders) numbers.set(id, { number, external_id });
    if (!page.has_more) break;
    ({ cursor } = page);
  }
  return orders.map((order) => ({ number: undefined, external_id: undefined, ...order, ...numbers.get(order.id) }));
}
