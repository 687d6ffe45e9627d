import type { Operation } from '../http/route.js';
import { keyOperations } from './keys.js';
import { menuStockOperations } from './menu-stock.js';
import { menuVersionOperations } from './menu-versions.js';
import { menuOperations, type MenuContext } from './menus.js';
import { merchantOperations } from './merchants.js';
import { storeOperations } from './stores.js';

/** Everything around the interface: provisioning, keys, menu history and stock, order intake. */
export function manageOperations(context: MenuContext): Operation[] {
  return [
    ...merchantOperations(context.db),
    ...storeOperations(context.db),
    ...keyOperations(context.db),
    ...menuOperations(context),
    ...menuVersionOperations(context),
    ...menuStockOperations(context),
  ];
}
