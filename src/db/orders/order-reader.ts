import { createBatch, createBatches } from '../batch.js';
import type { Database } from '../database.js';
import { confirming, type ExpectedCaller } from '../expected-caller.js';
import type { Share } from '../pools.js';
import { readOrders, type ReadOrder } from './read-orders.js';

type Store = Share & { readonly storeKey: number };

/** Reads one order of a store by its id; reads that wait at the same moment go as one query per store. */
export type ReadOrderById = (
  store: Store,
  id: string,
  expected?: ExpectedCaller,
) => Promise<ReadOrder | undefined>;

interface AskedOrder {
  readonly id: string;
  readonly expected: ExpectedCaller | undefined;
}

/** Each may be close to a megabyte. */
const MOST_AT_ONCE = 32;

export function createOrderReader(db: Database, readThem = readOrders): ReadOrderById {
  const askStore = createBatches<number, AskedOrder, ReadOrder | undefined>();
  return (store, id, expected) =>
    askStore(store.storeKey, () => createStoreReader(db, store, readThem), { id, expected });
}

type ReadFromStore = (asked: AskedOrder) => Promise<ReadOrder | undefined>;

function createStoreReader(db: Database, store: Store, readThem: typeof readOrders): ReadFromStore {
  const own = db.of(store);
  return createBatch({
    run: async (asked: readonly AskedOrder[]) => {
      const ids = asked.map(({ id }) => id);
      const callers = asked.flatMap(({ expected }) => expected ?? []);
      const orders = await readThem(confirming(own, callers), store.storeKey, ids);
      const found = new Map(orders.map((order) => [order.id, order]));
      return ids.map((id) => found.get(id));
    },
    most: MOST_AT_ONCE,
  });
}
