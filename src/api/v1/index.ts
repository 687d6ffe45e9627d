import type { Operation } from '../../http/route.js';
import { menuOperations, type MenuContext } from './menus.js';
import { merchantOperations } from './merchants.js';
import { orderOperations } from './orders.js';
import { storeOperations } from './stores.js';

/** The interface, frozen: nine operations and nothing else. */
export function v1Operations(context: MenuContext): Operation[] {
  const { db } = context;
  return [
    ...menuOperations(context),
    ...orderOperations(db),
    ...storeOperations(db),
    ...merchantOperations(db),
  ];
}
