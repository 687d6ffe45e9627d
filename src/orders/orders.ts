import type { Menus } from '../menus/rendering/menus.js';
import type { StorePace } from '../pace/settings.js';
import type { Database } from '../postgres/database.js';
import type { Limits } from '../support/limits.js';
import { createBills, type Bills } from './bill.js';
import { createOrderChanges, type ChangeOrder } from './change.js';
import { takeInChecked } from './intake/checked-intake.js';
import { createOrderIntake, type IncomingOrder, type OrderTakenIn } from './intake/intake.js';
import { chooseCounterShard } from './list/counts.sql.js';
import { createOrderReader, readManagedOrders, type ReadOrderById } from './read.sql.js';
import { createOrderImport, type OrderImport } from './transfer/import.js';

/**
 * What is done with orders. There is one in a process, so that the orders of a store share a statement, whoever sends them:
 * tills, guests or the console.
 */
export interface Orders {
  /** Takes an order in as it is. */
  takeIn(incoming: IncomingOrder): Promise<OrderTakenIn>;
  /** Takes in an order that menu and kitchen allow. */
  takeInChecked(incoming: IncomingOrder): Promise<OrderTakenIn>;
  readonly change: ChangeOrder;
  readonly bills: Bills;
  readonly read: ReadOrderById;
  readonly readManaged: ReadOrderById;
  readonly importFrom: OrderImport['run'];
}

export interface OrdersContext {
  readonly db: Database;
  readonly menus: Pick<Menus, 'prices'>;
  readonly storePace: StorePace;
  readonly limits: Pick<Limits, 'jsonDepth' | 'importLineBytes'>;
}

export function createOrders({ db, menus: { prices }, storePace, limits }: OrdersContext): Orders {
  const counterShard = chooseCounterShard();
  const intake = createOrderIntake(db, prices, counterShard);
  const imports = createOrderImport({
    db,
    prices,
    counterShard,
    maxDepth: limits.jsonDepth,
    maxLineBytes: limits.importLineBytes,
  });
  return {
    takeIn: (incoming) => intake.takeIn(incoming),
    takeInChecked: (incoming) => takeInChecked(intake, { db, prices, storePace }, incoming),
    change: createOrderChanges(db, counterShard, async (store) => {
      const { list } = await prices.withCounts(store, await prices.read(store, store.menu));
      const moved = await storePace.movedDaysOf(db.forTenant(store), store);
      return { list, moment: { at: Date.now(), timezone: store.timezone ?? 'UTC', moved } };
    }),
    bills: createBills(db, counterShard),
    read: createOrderReader(db),
    readManaged: createOrderReader(db, readManagedOrders),
    importFrom: (source, importer) => imports.run(source, importer),
  };
}
