import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { BATCH_SIZES } from '../support/bounds.js';
import { audit } from '../audit/audit.sql.js';
import { EVENTS_WRITTEN } from '../events/events.sql.js';
import { showCounts } from '../menus/stock/settle.js';
import { readStations } from '../menus/stock/stock.sql.js';
import { ASK_AGAIN, createBatches } from '../postgres/batch.js';
import type { Database, Queryable, Transaction } from '../postgres/database.js';
import { errorCode } from '../support/errors.js';
import type { MenuNow } from './amend-lines.js';
import { amendedColumns } from './amended-columns.js';
import { changeOrders, readChangeableOrders } from './change.sql.js';
import { decideChanges, needsStations, type Outcome, type WantedChange } from './decide-changes.js';

/** Answers the JSON text of the ManagedOrder as this change leaves it. */
export type ChangeOrder = (store: RequestedStore, wanted: WantedChange) => Promise<string>;

/** The menu of a store as it is now. */
export type ReadMenuNow = (store: RequestedStore) => Promise<MenuNow>;

/**
 * Changes orders. Concurrent changes in a store share a statement and are decided one after the other, each on the result of
 * the one before. If another statement has changed an order meanwhile, its changes are decided again.
 */
export function createOrderChanges(db: Database, counterShard: number, readMenu: ReadMenuNow): ChangeOrder {
  return createBatches<RequestedStore, WantedChange, string>(
    // Only those that found the store in the same state: who comes later may know of a newer menu.
    ({ storeKey, menu, timezone, intakeRevision, accept, inPosWithinMinutes }) =>
      JSON.stringify([storeKey, menu, timezone, intakeRevision, accept, inPosWithinMinutes]),
    (store) => ({
      most: BATCH_SIZES.changes,
      run: async (asks) => {
        const change = async (some: readonly WantedChange[]) => {
          const menu = some.some(({ patch }) => patch.items !== undefined)
            ? await readMenu(store)
            : undefined;
          return changeAll(db, counterShard, store, some, menu);
        };
        const outcomes = await change(asks);
        if (outcomes !== undefined) return outcomes;
        // Together they ask for more than is left: one after the other, each is decided with what is left then.
        const single: Outcome[] = [];
        for (const ask of asks)
          single.push(...((await change([ask]).catch((error: unknown) => [error as Error])) ?? [ASK_AGAIN]));
        return single;
      },
    }),
  );
}

/** Raised where less is left of an item than the change of a checked order asks for. */
const TOO_LITTLE_LEFT = 'CD003';

/** undefined if nothing was changed because too little is left of a counted item. */
async function changeAll(
  db: Database,
  counterShard: number,
  store: RequestedStore,
  asks: readonly WantedChange[],
  menu: MenuNow | undefined,
): Promise<Outcome[] | undefined> {
  const { storeKey } = store;
  const own = db.forTenant(store);
  const read = await readChangeableOrders(own, storeKey, [...new Set(asks.map(({ orderId }) => orderId))]);
  const isStationed = asks.some(({ orderId, patch }) => needsStations(patch, read.get(orderId)?.order.facts));
  const stations = isStationed ? await readStations(own, storeKey) : undefined;
  const { outcomes, changes, events, paid } = decideChanges(read, asks, { ...store, stations }, menu);
  if (changes.length === 0) return outcomes;
  const columns = changes.map((change) => ({ ...change, amended: amendedColumns(store, change, menu) }));
  const change = (to: Queryable) => changeOrders(to, storeKey, counterShard, columns, events);
  const write = () =>
    paid.length === 0 ? change(own) : own.transaction((tx) => changeAndAudit(tx, store, paid, read, change));
  const written = await write().catch((error: unknown) => {
    if (errorCode(error) === TOO_LITTLE_LEFT) return undefined;
    throw error;
  });
  if (written === undefined) return undefined;
  const { changed, isUnshown, lastSequence } = written;
  if (lastSequence !== undefined) db.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
  if (isUnshown) await showCounts(db, store, asks[0]?.keyId ?? null);
  const lost = new Set(changes.map(({ before }) => before.id).filter((id) => !changed.has(id)));
  return outcomes.map((outcome, i) => (lost.has(asks[i]?.orderId ?? '') ? ASK_AGAIN : outcome));
}

/** Payments are money: who recorded them is in the audit log too. */
async function changeAndAudit<T extends { readonly changed: ReadonlySet<string> }>(
  tx: Transaction,
  { id: storeId }: RequestedStore,
  paid: readonly WantedChange[],
  read: Awaited<ReturnType<typeof readChangeableOrders>>,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const written = await change(tx);
  for (const { orderId, payment, by, keyId } of paid) {
    const { method, amount } = payment ?? {};
    if (written.changed.has(orderId))
      await audit(tx, 'payment.recorded', {
        storeId,
        subject: orderId,
        after: { number: read.get(orderId)?.order.number, method, amount },
        by,
        keyId,
      });
  }
  return written;
}
