import type { Database, Transaction } from '../../postgres/database.js';
import type { NewEvent } from '../../events/event.js';
import { audit } from '../../audit/audit.sql.js';
import { appendEvents } from '../../events/events.sql.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import { NotFound } from '../../support/errors.js';
import { findListed, findNames } from '../publish/entities.sql.js';
import { stockChanged } from '../events.js';
import { isInStock, nextRevision, type KeptMark } from './marks.js';
import { findUnsettledStores, lockUnsettled, putMarks, setStockRevision } from './stock.sql.js';
import { lockMenu } from '../versions/versions.sql.js';

/** After orders have moved a count from or to 0, by the key of one of them. What fails here, the clock does later. */
export async function showCounts(db: Database, store: StoreTenant, keyId: string | null): Promise<void> {
  await db
    .forTenant(store)
    .transaction((tx) => settleStock(tx, store.storeKey, keyId))
    .catch(() => undefined);
}

/**
 * Lifts the marks of all stores whose time has come, and shows counts that a killed process has not. Any number of
 * processes may do so at once: each store is done by the one that gets its row first, and the others find nothing left.
 */
export async function settleDueStock(db: Database): Promise<void> {
  for (const storeKey of await findUnsettledStores(db, new Date())) {
    await db
      .transaction((tx) => settleStock(tx, storeKey, null))
      .catch((error: unknown) => {
        // A store that was deleted meanwhile has no stock.
        if (!(error instanceof NotFound)) throw error;
      });
  }
}

/** `keyId` is the key that changed the counts, or null for the clock. */
async function settleStock(tx: Transaction, storeKey: number, keyId: string | null): Promise<void> {
  const { version, stockRevision } = await lockMenu(tx, storeKey);
  const now = new Date();
  const unsettled = await lockUnsettled(tx, storeKey, now);
  if (unsettled.size === 0) {
    // A publication or another change has replaced what was due.
    await setStockRevision(tx, storeKey, stockRevision);
    return;
  }
  const settled = new Map<number, KeptMark>();
  const lifted = new Set<number>();
  for (const [id, mark] of unsettled) {
    const isDue = mark.until !== undefined && Date.parse(mark.until) <= now.getTime();
    if (isDue) lifted.add(id);
    settled.set(id, isDue ? { ...mark, inStock: undefined, until: undefined } : mark);
  }
  const names = await findNames(tx, storeKey, [...settled.keys()]);
  const listed = await findListed(tx, storeKey, version, names);
  const events = listed.map((entity): NewEvent => {
    const mark = settled.get(entity.id) ?? {};
    const inStock = isInStock(mark, entity.isStatedOut ? false : undefined);
    const act = { keyId: lifted.has(entity.id) ? null : keyId, at: now.toISOString() };
    return stockChanged(entity, { ...mark, inStock }, act);
  });
  await putMarks(tx, storeKey, settled);
  const subject = listed.flatMap(({ id, externalId }) => (lifted.has(id) ? [externalId] : [])).join(', ');
  if (subject !== '') await audit(tx, 'stock.mark_ended', { storeKey, subject: subject.slice(0, 300) });
  await setStockRevision(tx, storeKey, nextRevision(stockRevision));
  await appendEvents(tx, storeKey, events);
}
