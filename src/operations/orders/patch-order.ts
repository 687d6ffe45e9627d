import type { Database } from '../../db/database.js';
import { changeOrder } from '../../db/orders/change-order.js';
import { readOrders, readOrderState } from '../../db/orders/read-orders.js';
import { NotFound } from '../../domain/errors.js';
import { applyPatch } from '../../domain/order/change.js';
import { storeKeyOfOrder } from '../../domain/order/id.js';
import type { OrderPatch } from '../../domain/order/shapes.js';

/**
 * Changes an order and answers the JSON text of the Order as it then is. A change that lost the race for the order is
 * decided anew on what the winner left.
 */
export async function patchOrder(
  db: Database,
  slot: number,
  orderId: string,
  patch: OrderPatch,
  keyId: string,
): Promise<string> {
  const storeKey = storeKeyOfOrder(orderId);
  if (storeKey === undefined) throw new NotFound('Order');
  for (;;) {
    const before = await readOrderState(db, storeKey, orderId);
    if (before === undefined) throw new NotFound('Order');
    const at = new Date().toISOString();
    const changed = applyPatch(before, patch, at);
    if (changed.fields.length === 0) return readUnchanged(db, storeKey, orderId);
    const json = await changeOrder(db, storeKey, slot, { ...changed, id: orderId, before, keyId, at });
    if (json !== undefined) return `{${json}}`;
  }
}

async function readUnchanged(db: Database, storeKey: number, orderId: string): Promise<string> {
  const [row] = await readOrders(db, storeKey, [orderId]);
  if (row === undefined) throw new NotFound('Order');
  return `{${row.json}}`;
}
