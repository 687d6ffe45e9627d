import type { Route } from '../../http/route.js';
import type { MenuContext } from '../../operations/publish-menu.js';
import { menuRoutes } from './menus.js';
import { merchantRoutes } from './merchants.js';
import { orderRoutes, type OrderContext } from './orders.js';
import { storeRoutes } from './stores.js';

/** The interface, frozen: nine operations and nothing else. */
export function v1Routes(context: MenuContext & OrderContext): Route[] {
  return [...menuRoutes(context), ...orderRoutes(context), ...storeRoutes(), ...merchantRoutes()];
}
