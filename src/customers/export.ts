import { scopeOf, type Principal } from '../access/principal.js';
import { readHistory, toChange } from '../orders/change.sql.js';
import { readManagedOrders } from '../orders/read.sql.js';
import type { Database, Queryable } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import { valueError } from '../support/error-details.js';
import { findNamedStores, type NamedStore } from '../tenants/stores.sql.js';
import { findByPhone } from './find.sql.js';
import { MOST_STORES } from './shapes.js';

/** The stores to look in: those that are named, each of which must be in the key's reach, or all that are. */
export async function storesToExport(
  db: Queryable,
  principal: Principal,
  named: string | undefined,
): Promise<NamedStore[]> {
  const ids = named?.split(',');
  const stores = await findNamedStores(db, scopeOf(principal), { ids }, MOST_STORES + 1);
  if (stores.length > MOST_STORES)
    throw valueError(['query', 'store_ids'], `name at most ${MOST_STORES} of the stores of this key`);
  if (ids?.some((id) => !stores.some((store) => store.id === id)) === true) throw new NotFound('Store');
  return stores;
}

/** Everything that is held about a customer, a line for each order. Read while it is sent. */
export async function* exportCustomer(
  db: Database,
  stores: readonly NamedStore[],
  phone: string,
): AsyncGenerator<string> {
  for (const store of stores) {
    const { storeKey } = store;
    const own = db.forTenant(store);
    const next = (after?: string) => findByPhone(own, storeKey, phone, after);
    for (let ids = await next(); ids.length > 0; ids = await next(ids.at(-1)))
      for (const id of ids) {
        const order = (await readManagedOrders(own, storeKey, [id])).get(id);
        if (order === undefined) continue;
        const history = (await readHistory(own, storeKey, id)).map(toChange);
        yield `{"store_id":"${store.id}","order":${order},"history":${JSON.stringify(history)}}\n`;
      }
  }
}
