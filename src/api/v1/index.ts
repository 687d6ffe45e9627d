import type { Route } from '../../http/route.js';
import type { MenuContext } from '../../operations/menu-context.js';
import { menuRoutes } from './menus.js';
import { merchantRoutes } from './merchants.js';
import { orderRoutes } from './orders.js';
import { storeRoutes } from './stores.js';

/** The interface, frozen: nine operations and nothing else. */
export function v1Routes(context: MenuContext): Route[] {
  const { db } = context;
  return [...menuRoutes(context), ...orderRoutes(db), ...storeRoutes(db), ...merchantRoutes(db)];
}
