import type { Menus } from '../menus/rendering/menus.js';
import type { StorePace } from '../pace/settings.js';
import { findNames } from '../menus/publish/entities.sql.js';
import type { PriceList } from '../menus/price-list.js';
import type { Database, Queryable } from '../postgres/database.js';
import type { Limits } from '../support/limits.js';
import { createBills } from './bill.js';
import { createOrderChanges } from './change.js';
import { takeInChecked } from './intake/checked-intake.js';
import { createOrderIntake, type IncomingOrder } from './intake/intake.js';
import { chooseCounterShard } from './list/counts.sql.js';
import { createManagedOrderReader, createOrderReader } from './read.sql.js';
import { createOrderImport } from './transfer/import.js';

export type Orders = ReturnType<typeof createOrders>;

export interface OrdersContext {
  readonly db: Database;
  readonly menus: Pick<Menus, 'prices'>;
  readonly storePace: StorePace;
  readonly limits: Pick<Limits, 'jsonDepth' | 'importLineBytes'>;
}

/**
 * What is done with orders. There is one in a process, so that the orders of a store share a statement, whoever sends them:
 * tills, guests or the console.
 */
export function createOrders({ db, menus: { prices }, storePace, limits }: OrdersContext) {
  const counterShard = chooseCounterShard();
  const intake = createOrderIntake(db, prices, counterShard);
  return {
    /** Takes an order in as it is. */
    takeIn: (incoming: IncomingOrder) => intake.takeIn(incoming),
    /** Takes in an order that menu and kitchen allow. */
    takeInChecked: (incoming: IncomingOrder) => takeInChecked(intake, { db, prices, storePace }, incoming),
    change: createOrderChanges(db, counterShard, async (store) => {
      const { list } = await prices.withCounts(store, await prices.read(store, store.menu));
      const own = db.forTenant(store);
      const moved = await storePace.movedDaysOf(own, store);
      const gone = await findGone(own, store.storeKey, list);
      const items = { get: (externalId: string) => list.items.get(externalId) ?? gone.get(externalId) };
      return {
        list,
        counted: { ...list, items },
        moment: { at: Date.now(), timezone: store.timezone ?? 'UTC', moved },
      };
    }),
    bills: createBills(db, counterShard),
    read: createOrderReader(db),
    readManaged: createManagedOrderReader(db),
    importFrom: createOrderImport({
      db,
      prices,
      counterShard,
      maxDepth: limits.jsonDepth,
      maxLineBytes: limits.importLineBytes,
    }),
  };
}

/** The counted items that the menu has no more, by external_id. */
async function findGone(
  db: Queryable,
  storeKey: number,
  { items, counts }: PriceList,
): Promise<ReadonlyMap<string, { readonly id: number }>> {
  const listed = new Set(counts.size === 0 ? [] : [...items.values()].map(({ id }) => id));
  const gone = [...counts.keys()].filter((id) => !listed.has(id));
  const names = gone.length === 0 ? [] : await findNames(db, storeKey, gone);
  return new Map(names.map(({ externalId, id }) => [externalId, { id }]));
}
