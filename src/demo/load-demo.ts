import { lockFor } from '../db/advisory-locks.js';
import type { Database } from '../db/database.js';
import { wasDeleted } from '../db/deletions.js';
import { listKeys } from '../db/keys.js';
import { getMerchant } from '../db/merchants.js';
import { getStore } from '../db/stores.js';
import { exampleIds } from '../domain/example-ids.js';
import type { Limits } from '../domain/limits.js';
import { menuExample } from '../domain/menu/example.js';
import { newOrder } from '../domain/order/new-order.js';
import { createSlots } from '../domain/slots.js';
import { compilePrepare } from '../menu-rendering/prepare-publication.js';
import { createMerchant } from '../operations/merchants.js';
import { createImportChunks } from '../operations/orders/import-chunks.js';
import { chooseCountSlot } from '../operations/orders/take-in-order.js';
import { createStore } from '../operations/stores.js';
import { DEMO_ACTOR, publishDemoMenu, publishOnce, toBytes } from './publish-demo-menu.js';
import { demoOrders } from './orders.js';
import { demoMerchant, demoStores, trialStore, type DemoStore } from './stores.js';

export interface DemoCounts {
  readonly stores: number;
  readonly orders: number;
}

/** The name of the demo's own keys; the first one is made last, so it also tells that all the rest is there. */
export const DEMO_KEY_LABEL = 'demo';

/** What was deleted of it does not come back: no id is used again. */
export type DemoState = 'absent' | 'begun' | 'complete' | 'deleted';

export async function readDemoState(db: Database): Promise<DemoState> {
  const { merchant } = exampleIds;
  const keys = await listKeys(db, merchant, { skip: 0, limit: 1000 });
  if (keys.some(({ label }) => label === DEMO_KEY_LABEL)) return 'complete';
  const storeIds = [...demoStores, trialStore].map(({ id }) => id);
  if (await wasDeleted(db, merchant, storeIds)) return 'deleted';
  return (await getMerchant(db, merchant)) === undefined ? 'absent' : 'begun';
}

/**
 * Loads the demo restaurant. Every step leaves alone what is there already, so a load that was cut short is finished
 * by the next one. Needs two connections: one holds the lock, so that replicas do not load it together.
 */
export function loadDemo(db: Database, limits: Limits, now: number): Promise<DemoCounts> {
  return db.transaction(async (tx) => {
    await lockFor(tx.client, 'demo');
    await provideStores(db);
    const prepare = compilePrepare(limits);
    for (const store of demoStores) {
      await publishDemoMenu(db, store, prepare, limits);
    }
    await publishOnce(db, trialStore.storeKey, [prepare(toBytes(menuExample))], { limits });
    return { stores: demoStores.length + 1, orders: await importOrders(db, now) };
  });
}

async function provideStores(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const { merchant } = exampleIds;
    if ((await getMerchant(tx, merchant)) === undefined) await createMerchant(tx, demoMerchant, merchant);
    for (const { id, storeKey, store } of [...demoStores, trialStore]) {
      const isThere = (await getStore(tx, id)) !== undefined;
      if (!isThere) await createStore(tx, { ...store, merchant_id: merchant }, { id, storeKey });
    }
  });
}

async function importOrders(db: Database, now: number): Promise<number> {
  const chunks = createImportChunks(db, {
    countSlot: chooseCountSlot(),
    writers: createSlots({ size: 1 }),
    keyId: DEMO_ACTOR,
  });
  let count = 0;
  for (const store of demoStores) count += await addOrders(store);
  await chunks.flush();
  return count;

  async function addOrders(store: DemoStore): Promise<number> {
    const orders = demoOrders(store, now);
    for (const { id, request } of orders) {
      await chunks.add(store.storeKey, newOrder(request, { storeKey: store.storeKey, id, at: now }));
    }
    return orders.length;
  }
}
