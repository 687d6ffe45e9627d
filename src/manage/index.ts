import type { Operation } from '../http/route.js';
import { chooseCountSlot } from '../operations/orders/take-in-order.js';
import { backupOperations } from './backup.js';
import { keyOperations } from './keys.js';
import { menuStockOperations } from './menu-stock.js';
import { menuVersionOperations } from './menu-versions.js';
import { menuOperations, type MenuContext } from './menus.js';
import { merchantOperations } from './merchants.js';
import { orderTransferOperations } from './order-transfers.js';
import { orderOperations } from './orders.js';
import { storeOperations } from './stores.js';

/** Everything around the interface: provisioning, keys, menu history and stock, order intake. */
export function manageOperations(context: MenuContext & { readonly version: string }): Operation[] {
  const { db, limits, version } = context;
  const slot = chooseCountSlot();
  return [
    ...merchantOperations(db),
    ...storeOperations(db),
    ...keyOperations(db),
    ...menuOperations(context),
    ...menuVersionOperations(context),
    ...menuStockOperations(context),
    ...orderOperations(db, slot),
    ...orderTransferOperations(db, limits, slot),
    ...backupOperations(db, limits, version),
  ];
}
