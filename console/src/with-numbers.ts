import type { ManagedOrder, Order } from '#sdk';
import { client } from './client.js';

/** A page of orders with the numbers they came with, which the kitchen calls and the interface's list leaves out. */
export function withNumbers(orders: readonly Order[], signal: AbortSignal): Promise<ManagedOrder[]> {
  return Promise.all(orders.map(({ id }) => client.getManagedOrder(id, { signal })));
}
