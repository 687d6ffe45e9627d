import { createBatch } from '../batch.js';
import type { Database } from '../database.js';
import { storeKeyOfOrder } from '../../domain/order/id.js';
import { readOrders, type ReadOrder } from './read-orders.js';

/** Reads one order by its id; reads that wait at the same moment go as one query per store. */
export type ReadOrderById = (id: string) => Promise<ReadOrder | undefined>;

export function createOrderReader(db: Database): ReadOrderById {
  const read = createBatch({ run: (ids: readonly string[]) => readBatch(db, ids), identify: (id) => id });
  return (id) => (storeKeyOfOrder(id) === undefined ? Promise.resolve(undefined) : read(id));
}

async function readBatch(db: Database, ids: readonly string[]): Promise<(ReadOrder | undefined)[]> {
  const perStore = new Map<number, string[]>();
  for (const id of ids) {
    const storeKey = storeKeyOfOrder(id) ?? 0;
    const ofStore = perStore.get(storeKey);
    if (ofStore === undefined) perStore.set(storeKey, [id]);
    else ofStore.push(id);
  }
  const found = await Promise.all(
    [...perStore].map(([storeKey, ofStore]) => readOrders(db, storeKey, ofStore)),
  );
  const byId = new Map(found.flat().map((order) => [order.id, order]));
  return ids.map((id) => byId.get(id));
}
