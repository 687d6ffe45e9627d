import type { Database } from '../db/database.js';
import type { Operation } from '../http/route.js';
import { keyOperations } from './keys.js';
import { merchantOperations } from './merchants.js';
import { storeOperations } from './stores.js';

/** Everything around the interface: provisioning, keys, menu history and stock, order intake. */
export function manageOperations(context: { readonly db: Database }): Operation[] {
  return [...merchantOperations(context.db), ...storeOperations(context.db), ...keyOperations(context.db)];
}
