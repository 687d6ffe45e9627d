import { audit } from '../audit/audit.sql.js';
import { EVENTS_WRITTEN } from '../events/events.sql.js';
import { orderChanged } from '../orders/events.js';
import { factsText, parseFacts } from '../orders/facts.js';
import { storeKeyOfOrder } from '../orders/id.js';
import type { ShownManagedOrder } from '../orders/json.sql.js';
import type { Queryable, SharedDatabase } from '../postgres/database.js';
import type { StoreTenant } from '../support/fair-semaphore.js';
import { clearResponses } from '../webhooks/deliveries.sql.js';
import {
  eraseCustomers,
  findOldErasable,
  noteErasures,
  readErasable,
  readErasures,
  type Erased,
  type Erasure,
} from './erase.sql.js';
import { FIRST_ID } from '../support/shape/id-cursor.js';

/** Erases the customers of these orders of a store and lists them; returns how many had one. */
export async function eraseOrders(
  db: SharedDatabase,
  storeKey: number,
  ids: readonly string[],
  subject: string,
): Promise<number> {
  // First: what is listed and not erased, because the process was killed, is erased by the same request sent again.
  await noteErasures(db, ids);
  return eraseAll(db, storeKey, ids, subject);
}

/** Erases some customers of orders that were completed before the time; true when there may be more. */
export async function eraseSomeOld(
  db: SharedDatabase,
  { storeKey }: StoreTenant,
  before: Date,
): Promise<boolean> {
  const ids = await findOldErasable(db, storeKey, before);
  return ids.length > 0 && (await eraseAll(db, storeKey, ids, 'customer_days')) > 0;
}

/** Erases every order of the list that is in these stores, or in any, and not erased, as after an older backup was restored. */
export async function eraseListed(db: Queryable, storeKeys: readonly number[] | undefined): Promise<void> {
  for (let ids = await readErasures(db, FIRST_ID); ids.length > 0;) {
    for (const [storeKey, orders] of ordersByStore(ids)) {
      if (storeKeys?.includes(storeKey) === false) continue;
      const own = orders.map(({ id }) => id);
      while ((await eraseSome(db, storeKey, own, null)) !== undefined);
    }
    ids = await readErasures(db, ids.at(-1) ?? FIRST_ID);
  }
}

/** An order, and its place in the list that it comes from. */
interface PlacedOrder {
  readonly id: string;
  readonly place: number;
}

/** By the number of the store that the id leads to; 0 for what is no id of an order. */
export function ordersByStore(ids: readonly string[]): Map<number, PlacedOrder[]> {
  const orders = new Map<number, PlacedOrder[]>();
  ids.forEach((id, place) => {
    const storeKey = storeKeyOfOrder(id) ?? 0;
    const known = orders.get(storeKey);
    if (known === undefined) orders.set(storeKey, [{ id, place }]);
    else known.push({ id, place });
  });
  return orders;
}

/** In small transactions, each with its entry in the audit log: one that breaks off has told what it did. */
async function eraseAll(
  db: SharedDatabase,
  storeKey: number,
  ids: readonly string[],
  subject: string,
): Promise<number> {
  for (let total = 0; ;) {
    const erased = await db.transaction(async (tx) => {
      const some = await eraseSome(tx, storeKey, ids, tx.by?.keyId ?? null);
      if (some === undefined) return undefined;
      const { count: orders, lastSequence } = some;
      if (orders > 0) await audit(tx, 'customers.erased', { storeKey, subject, after: { orders } });
      if (lastSequence !== undefined) tx.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
      return orders;
    });
    if (erased === undefined) return total;
    total += erased;
  }
}

/** undefined when all are erased. An order that someone else changes meanwhile is left to the next call. */
async function eraseSome(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
  keyId: string | null,
): Promise<Erased | undefined> {
  const orders = await readErasable(db, storeKey, ids);
  if (orders.length === 0) return undefined;
  await clearResponses(
    db,
    storeKey,
    orders.map(({ id }) => id),
  );
  const at = new Date().toISOString();
  return eraseCustomers(
    db,
    storeKey,
    orders.map((order) => toErasure(order, keyId, at)),
  );
}

function toErasure(order: ShownManagedOrder, keyId: string | null, at: string): Erasure {
  const { id, revision } = order;
  const items = withoutNotes(order.items);
  const facts = withoutPerson(order.facts);
  const kept = { id, revision, items, facts };
  const texts = [order.customerName, order.customerPhone, order.customerComments, order.reasonText];
  const isEmpty =
    items === order.items &&
    facts === order.facts &&
    texts.every((text) => text === undefined || text === '');
  if (isEmpty) return { ...kept, newRevision: revision, updatedAt: order.updatedAt, event: undefined };
  const newRevision = revision + 1;
  const event = orderChanged(
    { ...order, revision: newRevision, reasonText: undefined },
    { previousStatus: order.status, changed: ['customer'] },
    { keyId, at },
  );
  return { ...kept, newRevision, updatedAt: at, event };
}

/** Where it went and what others call it may lead to the person; amounts, service and source stay. */
function withoutPerson(text: string | undefined): string | undefined {
  const { delivery: _, references: __, custom: ___, payments, ...kept } = parseFacts(text);
  return factsText({ ...kept, payments: payments?.map(({ reference: ____, ...payment }) => payment) });
}

/** The JSON text of items without the guests' notes on lines and modifiers; everything else stays as it was sent. */
export function withoutNotes(items: string): string {
  if (!items.includes('"comments"')) return items;
  const kept: unknown = JSON.parse(items, (key, value: unknown) => (key === 'comments' ? undefined : value));
  return JSON.stringify(kept);
}
