import type { Order } from '#sdk';
import { client } from './client.js';

export interface NumberedOrder extends Order {
  readonly external_id: string | undefined;
}

/** A page of orders with the numbers they came with, which the kitchen calls and the interface's list leaves out. */
export async function withNumbers(
  storeId: string,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<NumberedOrder[]> {
  if (orders.length === 0) return [];
  const numbers = new Map<string, string | undefined>();
  const ids = orders.map(({ id }) => id).join();
  // One answer holds them all, unless some of the orders are very large.
  for (let cursor: string | undefined; ;) {
    const page = await client.listManagedOrders(storeId, { ids, cursor }, { signal });
    for (const { id, external_id: number } of page.orders) numbers.set(id, number);
    if (!page.has_more) break;
    ({ cursor } = page);
  }
  return orders.map((order) => ({ ...order, external_id: numbers.get(order.id) }));
}
