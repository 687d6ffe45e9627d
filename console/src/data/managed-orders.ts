import type { ManagedOrder, Order } from '#sdk';
import { client } from './session.js';

/** A page of the interface's list as the manage side shows it: with numbers, and places by their names of now. */
export async function readManaged(
  storeId: string,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<ManagedOrder[]> {
  if (orders.length === 0) return [];
  const managed = new Map<string, ManagedOrder>();
  const ids = orders.map(({ id }) => id).join();
  // One answer holds them all, unless some of the orders are very large.
  for (let cursor: string | undefined; ;) {
    const page = await client.listManagedOrders(storeId, { ids, cursor }, { signal });
    for (const order of page.orders) managed.set(order.id, order);
    if (!page.has_more) break;
    ({ cursor } = page);
  }
  return orders.flatMap(({ id }) => managed.get(id) ?? []);
}
