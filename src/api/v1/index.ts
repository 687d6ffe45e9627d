import type { Database } from '../../db/database.js';
import type { Operation } from '../../http/route.js';
import { merchantOperations } from './merchants.js';
import { orderOperations } from './orders.js';
import { storeOperations } from './stores.js';

/** The interface, frozen: nine operations and nothing else. */
export function v1Operations(context: { readonly db: Database }): Operation[] {
  return [...orderOperations(context.db), ...storeOperations(context.db), ...merchantOperations(context.db)];
}
