import type { Database } from '../db/database.js';
import type { Limits } from '../domain/limits.js';
import type { Operation } from '../http/route.js';
import { chooseCountSlot } from '../operations/orders/take-in-order.js';
import { keyOperations } from './keys.js';
import { merchantOperations } from './merchants.js';
import { orderTransferOperations } from './order-transfers.js';
import { orderOperations } from './orders.js';
import { storeOperations } from './stores.js';

/** Everything around the interface: provisioning, keys, menu history and stock, order intake. */
export function manageOperations(context: { readonly db: Database; readonly limits: Limits }): Operation[] {
  const { db, limits } = context;
  const slot = chooseCountSlot();
  return [
    ...merchantOperations(db),
    ...storeOperations(db),
    ...keyOperations(db),
    ...orderOperations(db, slot),
    ...orderTransferOperations(db, limits, slot),
  ];
}
