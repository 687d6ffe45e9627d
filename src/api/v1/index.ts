import type { Route } from '../../http/route.js';
import type { StreamInTurn } from '../../http/stream-turns.js';
import type { MenuContext } from '../../operations/menu-context.js';
import { menuRoutes } from './menus.js';
import { merchantRoutes } from './merchants.js';
import { orderRoutes } from './orders.js';
import { storeRoutes } from './stores.js';

/** The interface, frozen: nine operations and nothing else. */
export function v1Routes(context: MenuContext & { readonly streamInTurn: StreamInTurn }): Route[] {
  const { db, streamInTurn } = context;
  return [
    ...menuRoutes(context),
    ...orderRoutes(db, streamInTurn),
    ...storeRoutes(db),
    ...merchantRoutes(db),
  ];
}
