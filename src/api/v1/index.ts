import type { Operation } from '../../http/route.js';
import { menuOperations, type MenuContext } from './menus.js';
import { merchantOperations } from './merchants.js';
import { storeOperations } from './stores.js';

/** The interface, frozen: nine operations and nothing else. */
export function v1Operations(context: MenuContext): Operation[] {
  return [...menuOperations(context), ...storeOperations(context.db), ...merchantOperations(context.db)];
}
