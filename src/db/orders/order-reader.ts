import { createBatch, createBatches } from '../batch.js';
import type { Database } from '../database.js';
import type { Share } from '../pools.js';
import { readOrders, type ReadOrder } from './read-orders.js';

type Store = Share & { readonly storeKey: number };

/** Reads one order of a store by its id; reads that wait at the same moment go as one query per store. */
export type ReadOrderById = (store: Store, id: string) => Promise<ReadOrder | undefined>;

/** Each may be close to a megabyte. */
const MOST_AT_ONCE = 32;

export function createOrderReader(db: Database, readThem = readOrders): ReadOrderById {
  const askStore = createBatches<number, string, ReadOrder | undefined>();
  return (store, id) => askStore(store.storeKey, () => createStoreReader(db, store, readThem), id);
}

type ReadFromStore = (id: string) => Promise<ReadOrder | undefined>;

function createStoreReader(db: Database, store: Store, readThem: typeof readOrders): ReadFromStore {
  const own = db.of(store);
  return createBatch({
    run: async (ids: readonly string[]) => {
      const found = new Map((await readThem(own, store.storeKey, ids)).map((order) => [order.id, order]));
      return ids.map((id) => found.get(id));
    },
    identify: (id) => id,
    most: MOST_AT_ONCE,
  });
}
