import type { Queryable, Transaction } from '../../postgres/database.js';
import { addUpSales, isFact, type Sale } from './sales.js';

/** An imported order that is to be counted. */
export interface ImportedSale extends Omit<Sale, 'unlisted'> {
  readonly storeKey: number;
  readonly id: string;
}

/** Which items of a store have been on a menu; those that an import has met. */
export type ListedItems = Map<number, Set<string>>;

const MOST_LISTED = 100_000;

/** The items of each order that have been on no menu of its store; orders without such items are left out. */
export async function findUnlisted(
  tx: Transaction,
  sales: readonly ImportedSale[],
  listed: ListedItems,
): Promise<Map<string, string[]>> {
  if ([...listed.values()].reduce((sum, { size }) => sum + size, 0) > MOST_LISTED) listed.clear();
  const unlisted = new Map<string, string[]>();
  for (const [storeKey, ofStore] of byStore(sales)) {
    const known = listed.get(storeKey) ?? new Set();
    listed.set(storeKey, known);
    const asked = new Set(ofStore.flatMap(({ sold }) => sold.map((line) => line.external_id)));
    const unseen = [...asked].filter((id) => id !== '' && !isFact(id) && !known.has(id));
    if (unseen.length === 0) continue;
    const found = await tx.query<{ external_id: string }>({
      name: 'sales-listed-items',
      text: `SELECT e.external_id FROM menu_entities e
             WHERE e.store_key = $1 AND e.kind = 'item' AND e.external_id = ANY ($2::text[])`,
      values: [storeKey, unseen],
    });
    for (const { external_id: id } of found) known.add(id);
    const missing = new Set(unseen.filter((id) => !known.has(id)));
    if (missing.size === 0) continue;
    for (const { id, sold } of ofStore) {
      const ids = sold.map((line) => line.external_id).filter((each) => missing.has(each));
      if (ids.length > 0) unlisted.set(id, ids);
    }
  }
  return unlisted;
}

/** Counts those that were made, store by store in the order of their numbers, so that no two imports block each other. */
export async function countImported(
  tx: Transaction,
  counterShard: number,
  sales: readonly ImportedSale[],
  unlisted: ReadonlyMap<string, readonly string[]>,
  made: readonly { readonly id: string }[],
): Promise<void> {
  const ids = new Set(made.map(({ id }) => id));
  const counted = sales.filter(({ id }) => ids.has(id));
  for (const [storeKey, ofStore] of byStore(counted))
    await countSales(
      tx,
      storeKey,
      counterShard,
      ofStore.map((sale) => ({ ...sale, unlisted: unlisted.get(sale.id) })),
    );
}

function byStore(sales: readonly ImportedSale[]): (readonly [number, ImportedSale[]])[] {
  const stores = new Map<number, ImportedSale[]>();
  for (const sale of sales) {
    const ofStore = stores.get(sale.storeKey);
    if (ofStore === undefined) stores.set(sale.storeKey, [sale]);
    else ofStore.push(sale);
  }
  return [...stores].sort(([one], [other]) => one - other);
}

async function countSales(
  db: Queryable,
  storeKey: number,
  counterShard: number,
  sales: readonly Sale[],
): Promise<void> {
  const { orders, items } = addUpSales(sales);
  await db.query({
    name: 'orders-count-sales',
    text: 'SELECT count_sales($1, $2::smallint, $3::counted_orders[], $4::counted_items[])',
    values: [storeKey, counterShard, orders, items],
  });
}
