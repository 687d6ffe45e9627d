import { audit } from '../audit/audit.sql.js';
import { eraseSomeOld } from '../customers/erase.js';
import { removeSomeOrders } from '../orders/removal.sql.js';
import type { Database } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import { paced } from './paced.js';
import { listRetention, type RetentionDefaults, type StoreRetention } from './order-retention.sql.js';
import { DAY_MS } from '../support/datetime.js';

/** Whether this process still has the turn. */
type MayGoOn = () => Promise<boolean>;

/**
 * Removes final orders and erases customers that are older than their store keeps them, store by store and in small
 * statements. A store that fails does not stop the others.
 */
export async function applyRetention(
  db: Database,
  defaults: RetentionDefaults,
  mayGoOn: MayGoOn,
): Promise<void> {
  const failures: unknown[] = [];
  let afterKey = 0;
  for (;;) {
    const stores = await listRetention(db, afterKey, defaults);
    for (const store of stores) {
      if (!(await mayGoOn())) return;
      await applyToStore(db, store, mayGoOn).catch((error: unknown) => {
        // It was deleted meanwhile.
        if (!(error instanceof NotFound)) failures.push(error);
      });
      afterKey = store.storeKey;
    }
    if (stores.length === 0) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some stores still have orders to remove');
}

async function applyToStore(db: Database, store: StoreRetention, mayGoOn: MayGoOn): Promise<void> {
  const { orderDays, customerDays } = store;
  const repeat = async (days: number | null, doSome: (before: Date) => Promise<boolean>) => {
    if (days === null) return;
    const before = new Date(Date.now() - days * DAY_MS);
    while ((await paced(() => doSome(before))) && (await mayGoOn()));
  };
  await repeat(orderDays, (before) => removeSome(db, store.storeKey, before));
  await repeat(customerDays, (before) => eraseSomeOld(db, store, before));
}

/** True when there may be more. */
function removeSome(db: Database, storeKey: number, before: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const orders = await removeSomeOrders(tx, storeKey, before);
    if (orders > 0) await audit(tx, 'orders.removed', { storeKey, subject: 'order_days', after: { orders } });
    return orders > 0;
  });
}
