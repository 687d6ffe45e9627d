import type { ReadOrderById } from '../db/orders/order-reader.js';
import type { ReadOrder } from '../db/orders/read-orders.js';
import { NotFound } from '../domain/errors.js';
import { maySeeStore } from '../domain/key/principal.js';
import type { Call } from './route.js';

/** Finds the order that a path names; one that the key may not see looks exactly like one that does not exist. */
export async function locateOrder(readOrder: ReadOrderById, call: Call, id: string): Promise<ReadOrder> {
  const order = await readOrder(id);
  if (order === undefined) throw new NotFound('Order');
  if (!maySeeStore(call.key, { id: order.storeId, merchantId: order.merchantId }))
    throw new NotFound('Order');
  return order;
}
