import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Queryable, Transaction } from '../db/database.js';
import {
  claimDeletedStore,
  countSearchStretches,
  keepClaim,
  markEmptied,
  removeRows,
  removeSearchStretch,
  STORE_TABLES,
  type DeletedStore,
} from '../db/deleted-stores.js';
import {
  closeStores,
  hasOrders,
  removeMerchant,
  removeStores,
  lockMerchantToDelete,
  lockStoreToDelete,
} from '../db/deletions.js';
import { removeStoresFromEndpoints } from '../db/webhooks/cursors.js';
import { removeEndpointsOfMerchant } from '../db/webhooks/endpoints.js';
import { Conflict, NotFound } from '../domain/errors.js';

export interface Deletion {
  readonly id: string;
  /** The key that asked for it. */
  readonly keyId: string;
  /** Also where there are orders. */
  readonly isForced: boolean;
}

/** From here on nobody finds the store; what it has gathered goes with `emptyDeletedStores`. */
export async function deleteStore(tx: Transaction, { id, keyId, isForced }: Deletion): Promise<void> {
  const storeKey = await lockStoreToDelete(tx, id);
  if (storeKey === undefined) throw new NotFound('Store');
  await closeStores(tx, [storeKey]);
  if (!isForced) await refuseOrders(tx, [storeKey], 'The store');
  await removeStoresFromEndpoints(tx, [storeKey]);
  await removeStores(tx, [storeKey], keyId);
}

/** With its stores, its webhooks and its keys. */
export async function deleteMerchant(tx: Transaction, { id, keyId, isForced }: Deletion): Promise<void> {
  const storeKeys = await lockMerchantToDelete(tx, id);
  if (storeKeys === undefined) throw new NotFound('Merchant');
  await closeStores(tx, storeKeys);
  if (!isForced) await refuseOrders(tx, storeKeys, 'A store of the merchant');
  await removeEndpointsOfMerchant(tx, id);
  await removeStoresFromEndpoints(tx, storeKeys);
  await removeStores(tx, storeKeys, keyId);
  await removeMerchant(tx, id, keyId);
}

async function refuseOrders(tx: Queryable, storeKeys: readonly number[], what: string): Promise<void> {
  if (await hasOrders(tx, storeKeys))
    throw new Conflict(`${what} has orders. To delete them too, for ever, add force=true`);
}

/** Removes the rows of deleted stores. Each statement is small, and as much time passes between them as they take. */
export async function emptyDeletedStores(db: Database): Promise<void> {
  for (;;) {
    const store = await claimDeletedStore(db);
    if (store === undefined) return;
    await emptyStore(db, store);
    await markEmptied(db, store);
  }
}

async function emptyStore(db: Database, store: DeletedStore): Promise<void> {
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    await keepClaim(db, store);
    await delay(performance.now() - begun, undefined, { ref: false });
    return result;
  };
  for (const table of STORE_TABLES) while (await step(() => removeRows(db, store, table)));
  const stretches = await countSearchStretches(db);
  for (let at = 0; at < stretches; at += 1) await step(() => removeSearchStretch(db, store, at, stretches));
}
