import { audit } from '../audit/audit.sql.js';
import { EVENTS_WRITTEN } from '../events/events.sql.js';
import type { Database, Queryable } from '../postgres/database.js';
import type { Actor } from '../support/actor.js';
import { AmountOutdated, Overloaded } from '../support/errors.js';
import { newUuidV7 } from '../support/uuid.js';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { amendedColumns } from './amended-columns.js';
import { decideChanges } from './decide-changes.js';
import { changeOrders, findOwed, readChangeableOrders, type ChangeableOrder } from './change.sql.js';
import { parseFacts } from './facts.js';
import { type PaymentMethod } from './fact-shapes.js';
import { managedOrderJson } from './json.sql.js';

interface Settlement {
  readonly method: PaymentMethod;
  readonly expectedDue: number;
  readonly by: Actor;
}

const ATTEMPTS = 5;

/** What guests of a place owe, as JSON text. */
export function createBills(db: Database, counterShard: number) {
  return {
    read: async (own: Queryable, { storeKey }: RequestedStore, placeId: string): Promise<string> =>
      billOf(await readOwed(own, storeKey, placeId)).text,
    /** Pays all of it, or throws the bill as it is by now. */
    async settle(
      store: RequestedStore,
      placeId: string,
      { method, expectedDue, by }: Settlement,
    ): Promise<string> {
      const { id: storeId, storeKey } = store;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const owed = await readOwed(db.forTenant(store), storeKey, placeId);
        const { due, text } = billOf(owed);
        if (due !== expectedDue) throw new AmountOutdated('bill', text);
        if (owed.length === 0) return text;
        const read = new Map(owed.map((one) => [one.order.id, one]));
        const asks = owed.map(({ order }) => ({
          orderId: order.id,
          patch: {},
          payment: { id: newUuidV7(), method, amount: order.due },
          keyId: by.keyId,
        }));
        const { outcomes, changes, events } = decideChanges(read, asks, store);
        const refused = outcomes.find((outcome) => outcome instanceof Error);
        if (refused !== undefined) throw refused;
        const columns = changes.map((change) => ({
          ...change,
          amended: amendedColumns(store, change, undefined),
        }));
        const isPaid = await db
          .transaction(async (tx) => {
            const { changed, lastSequence } = await changeOrders(tx, storeKey, counterShard, columns, events);
            if (changed.size < owed.length) throw new ChangedMeanwhile();
            const label = owed[0]?.order.place?.label;
            const after = { label, method, amount: due, orders: owed.length };
            await audit(tx, 'bill.settled', { storeId, subject: placeId, after, by });
            if (lastSequence !== undefined) tx.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
            return true;
          })
          .catch((error: unknown) => {
            if (error instanceof ChangedMeanwhile) return false;
            throw error;
          });
        if (isPaid)
          return billOf(
            changes.map(({ before, state, store: storeText, steps }) => ({
              store: storeText,
              order: {
                ...before,
                ...state,
                revision: before.revision + 1,
                updatedAt: steps.at(-1)?.at ?? before.updatedAt,
              },
            })),
          ).text;
      }
      throw new Overloaded('The orders of this place change too fast. Try again.');
    },
  };
}

/** One of the orders has another revision: none is paid. */
class ChangedMeanwhile extends Error {}

async function readOwed(db: Queryable, storeKey: number, placeId: string): Promise<ChangeableOrder[]> {
  const read = await readChangeableOrders(db, storeKey, await findOwed(db, storeKey, placeId));
  return [...read.values()].flatMap((order) => order ?? []);
}

function billOf(owed: readonly Pick<ChangeableOrder, 'order' | 'store'>[]) {
  const sums = { price: 0, tax: 0, tip: 0, paid: 0, due: 0 };
  for (const { order } of owed) {
    const { tip = 0, payments = [] } = parseFacts(order.facts);
    sums.price += order.price;
    sums.tax += order.tax;
    sums.tip += tip;
    sums.paid += payments.reduce((sum, { amount }) => sum + amount, 0);
    sums.due += order.due;
  }
  const orders = owed.map(({ order, store }) => managedOrderJson(order, store)).join();
  return { due: sums.due, text: `{"orders":[${orders}],${JSON.stringify(sums).slice(1)}` };
}
