import { audit } from '../audit/audit.sql.js';
import { OVER_ONE_CONNECTION } from '../postgres/citus-tables.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import {
  closeStores,
  countSearchBuckets,
  findDeletedStore,
  hasOrders,
  lockMerchantAndStores,
  lockStoreToDelete,
  markEmptied,
  removeMerchant,
  removeRows,
  removeSearchBucket,
  removeStores,
  STORE_TABLES,
} from './deletions.sql.js';
import { stateOf } from './moves.js';
import { readMove } from './moves.sql.js';
import { removeStoresFromEndpoints } from '../webhooks/cursors.sql.js';
import { removeEndpointsOfMerchant } from '../webhooks/endpoints.sql.js';
import { getMerchant } from '../tenants/merchants.sql.js';
import { getStore } from '../tenants/stores.sql.js';
import { Conflict, MerchantMoving, requireFound } from '../support/errors.js';
import { paced } from './paced.js';

export interface Deletion {
  readonly id: string;
  readonly keyId: string;
  /** Delete even if there are orders. */
  readonly isForced: boolean;
}

/** Makes the store unavailable; `emptyDeletedStores` removes its rows later. */
export async function deleteStore(tx: Transaction, { id, keyId, isForced }: Deletion): Promise<void> {
  await tx.client.query(OVER_ONE_CONNECTION);
  const storeKey = requireFound(await lockStoreToDelete(tx, id), 'Store');
  await closeStores(tx, [storeKey]);
  if (!isForced) await refuseOrders(tx, [storeKey], 'The store');
  const { name, merchant } = (await getStore(tx, id)) ?? {};
  await audit(tx, 'store.deleted', {
    merchantId: merchant?.id,
    storeId: id,
    subject: id,
    before: { name },
    keyId,
  });
  await removeStoresFromEndpoints(tx, [storeKey]);
  await removeStores(tx, [storeKey], keyId);
}

export async function deleteMerchant(tx: Transaction, { id, keyId, isForced }: Deletion): Promise<void> {
  await tx.client.query(OVER_ONE_CONNECTION);
  const storeKeys = requireFound(await lockMerchantAndStores(tx, id), 'Merchant');
  await refuseUnlessSettled(tx, id);
  await closeStores(tx, storeKeys);
  if (!isForced) await refuseOrders(tx, storeKeys, 'A store of the merchant');
  const { brand_name: name } = (await getMerchant(tx, id)) ?? {};
  const before = { brand_name: name, stores: storeKeys.length };
  await audit(tx, 'merchant.deleted', { merchantId: id, subject: id, before, keyId, isOfMove: true });
  await removeEndpointsOfMerchant(tx, id);
  await removeStoresFromEndpoints(tx, storeKeys);
  await removeStores(tx, storeKeys, keyId);
  await removeMerchant(tx, id, keyId);
}

/** One on its way is needed for the rest of the way. */
async function refuseUnlessSettled(tx: Queryable, id: string): Promise<void> {
  const state = stateOf((await readMove(tx, id))?.moving ?? null);
  if (state === 'refusing') throw new MerchantMoving();
  if (state === 'arriving')
    throw new Conflict('The merchant is still arriving here. Give the move up to remove it.');
}

async function refuseOrders(tx: Queryable, storeKeys: readonly number[], what: string): Promise<void> {
  if (await hasOrders(tx, storeKeys))
    throw new Conflict(`${what} has orders. Add force=true to delete them permanently too.`);
}

/** Removes the rows of deleted stores in small statements, pausing after each for as long as it took. */
export async function emptyDeletedStores(db: Queryable): Promise<void> {
  for (;;) {
    const storeKey = await findDeletedStore(db);
    if (storeKey === undefined) return;
    await emptyStore(db, storeKey);
    await markEmptied(db, storeKey);
  }
}

async function emptyStore(db: Queryable, storeKey: number): Promise<void> {
  for (const table of STORE_TABLES) while (await paced(() => removeRows(db, storeKey, table)));
  const buckets = await countSearchBuckets(db);
  for (let i = 0; i < buckets; i += 1) await paced(() => removeSearchBucket(db, storeKey, i, buckets));
}
