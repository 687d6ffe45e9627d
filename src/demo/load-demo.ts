import { lockFor } from '../postgres/advisory-locks.js';
import type { Database, SharedDatabase } from '../postgres/database.js';
import { wasDeleted } from '../upkeep/deletions.sql.js';
import { listKeys } from '../tenants/keys.sql.js';
import { lockMenu } from '../menus/versions/versions.sql.js';
import { getMerchant, createMerchant } from '../tenants/merchants.sql.js';
import { findNamedStores, getStore } from '../tenants/stores.sql.js';
import { insertPlace, listPlaces } from '../guest/places.sql.js';
import { exampleIds } from '../support/example-ids.js';
import type { Limits } from '../support/limits.js';
import { menuExample } from '../menus/example.js';
import type { MenuConfiguration } from '../menus/shapes.js';
import { newOrder } from '../orders/intake/new-order.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import { compilePrepare } from '../menus/publish/prepare.js';
import { putPhoto } from '../menus/photos/photos.js';
import { addPhotos, listPhotos } from '../menus/photos/photos.sql.js';
import { nextRevision } from '../menus/stock/marks.js';
import { markStock } from '../menus/stock/stock.js';
import { setStockRevision } from '../menus/stock/stock.sql.js';
import { createImportChunks } from '../orders/transfer/import.sql.js';
import { chooseCounterShard } from '../orders/list/counts.sql.js';
import { publishMenu } from '../menus/publish/publish.js';
import { createStore } from '../tenants/stores.js';
import { writeIntake } from '../pace/settings.sql.js';
import { demoIntake, demoMarks, demoMenu, readDemo, type Demo } from './content.js';
import { demoOrders } from './orders.js';

export interface DemoCounts {
  readonly stores: number;
  readonly orders: number;
}

/** The label of the demo's keys. The first one is issued last, so it also marks a complete load. */
export const DEMO_KEY_LABEL = 'demo';
/** The key id in the history that the demo creates. */
const DEMO_ACTOR = 'demo';
const BY_DEMO = { keyId: DEMO_ACTOR, via: 'clock', requestId: DEMO_ACTOR } as const;

/** A deleted demo does not come back, because ids are never reused. */
export type DemoState = 'absent' | 'begun' | 'complete' | 'deleted';

export async function readDemoState(db: Database): Promise<DemoState> {
  const { merchant, store, tokyoStore, dubaiStore, trialStore } = exampleIds;
  const keys = await listKeys(db, merchant, { skip: 0, limit: 1000 });
  if (keys.some(({ label }) => label === DEMO_KEY_LABEL)) return 'complete';
  if (await wasDeleted(db, merchant, [store, tokyoStore, dubaiStore, trialStore])) return 'deleted';
  return (await getMerchant(db, merchant)) === undefined ? 'absent' : 'begun';
}

/**
 * Loads the demo restaurant. Every step skips what exists, so that the next start completes an interrupted load. Needs two
 * connections, one of which holds a lock against other replicas.
 */
export async function loadDemo(db: Database, limits: Limits, now: number): Promise<DemoCounts> {
  const demo = await readDemo();
  return db.transaction(async (tx) => {
    await lockFor(tx.client, 'demo');
    await createStores(db.forTenant(undefined, BY_DEMO), demo, now);
    const publish = createPublishing(db, limits);
    for (const store of demo.stores) {
      const menu = demoMenu(demo, store);
      await publish(store.storeKey, [withoutLateNight(menu), menu], demoMarks(demo, store));
    }
    await publish(demo.trialStore.storeKey, [menuExample]);
    await loadPhotos(db.forTenant(undefined, BY_DEMO), demo);
    return { stores: demo.stores.length + 1, orders: await importOrders(db, demo, now) };
  });
}

/** The code of a place where guests of the demo can order; undefined where there is none any more. */
export async function findGuestCode(db: Database): Promise<string | undefined> {
  const store = await getStore(db, exampleIds.store);
  const [named] = await findNamedStores(db, {}, { ids: [exampleIds.store] }, 1);
  if (store?.guest?.enabled !== true || named === undefined) return undefined;
  const places = await listPlaces(db, named.storeKey, { skip: 0, limit: 100 });
  return places.find(({ status }) => status === 'active')?.code;
}

async function createStores(
  db: SharedDatabase,
  { merchant, stores, trialStore }: Demo,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const merchantId = exampleIds.merchant;
    if ((await getMerchant(tx, merchantId)) === undefined) await createMerchant(tx, merchant, merchantId);
    for (const { id, storeKey, store, intake, places = [] } of [...stores, { ...trialStore, places: [] }]) {
      if ((await getStore(tx, id)) !== undefined) continue;
      await createStore(tx, { ...store, merchant_id: merchantId }, { place: { id, storeKey } });
      if (intake !== undefined) await writeIntake(tx, id, { settings: demoIntake(intake, now), revision: 1 });
      for (const place of places) await insertPlace(tx, storeKey, place);
    }
  });
}

/** Publishes the versions of a menu and marks what is sold out or counted, unless the store already has a menu. */
function createPublishing(db: Database, limits: Limits) {
  const { prepare } = compilePrepare(limits);
  return async (
    storeKey: number,
    menus: readonly MenuConfiguration[],
    stock: ReturnType<typeof demoMarks> = [],
  ): Promise<void> => {
    const versions = menus.map((menu) => prepare(Buffer.from(JSON.stringify(menu))));
    await db.transaction(async (tx) => {
      if ((await lockMenu(tx, storeKey)).version > 0) return;
      for (const preparedMenu of versions)
        await publishMenu(tx, { storeKey, keyId: DEMO_ACTOR, preparedMenu, limits });
      const marks = stock.map(({ kind, external_id: externalId, ...mark }) => ({ kind, externalId, mark }));
      await markStock(tx, storeKey, { marks, keyId: DEMO_ACTOR, mostTreeBytes: limits.treeBytes });
    });
  };
}

/** Stored for the first store; the others get them as a publication would bring them, unless any has photos already. */
async function loadPhotos(db: SharedDatabase, { stores, photos }: Demo): Promise<void> {
  const merchantId = exampleIds.merchant;
  const [first, ...others] = stores;
  if (first === undefined || (await listPhotos(db, first.storeKey)).length > 0) return;
  for (const photo of photos) await putPhoto(db, { merchantId, storeKey: first.storeKey }, photo);
  const stored = await listPhotos(db, first.storeKey);
  for (const { storeKey } of others)
    await db.transaction(async (tx) => {
      const { stockRevision } = await lockMenu(tx, storeKey);
      await addPhotos(tx, merchantId, storeKey, stored);
      await setStockRevision(tx, storeKey, nextRevision(stockRevision));
    });
}

/** An earlier version without the night menu, so that the history has something to show. */
function withoutLateNight({ menus = [], ...rest }: MenuConfiguration): MenuConfiguration {
  return { ...rest, menus: menus.filter(({ external_id }) => external_id !== 'late-night') };
}

async function importOrders(db: Database, demo: Demo, now: number): Promise<number> {
  const chunks = createImportChunks(db, {
    counterShard: chooseCounterShard(),
    writers: createFairSemaphore({ size: 1 }),
    keyId: DEMO_ACTOR,
    onDeleted: () => undefined,
  });
  let count = 0;
  for (const store of demo.stores) {
    for (const { id, request } of demoOrders(demo, store, now)) {
      count += 1;
      const { storeKey } = store;
      const { timezone } = store.store;
      await chunks.add(storeKey, newOrder(request, { storeKey, timezone, id, at: now }), count);
    }
  }
  await chunks.flush();
  return count;
}
