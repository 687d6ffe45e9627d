import { ASK_AGAIN, createBatches } from '../../db/batch.js';
import type { Database } from '../../db/database.js';
import {
  changeOrders,
  readChangeableOrders,
  type ChangeableOrder,
  type OrderEvent,
  type OrderStep,
} from '../../db/orders/change-orders.js';
import { orderText } from '../../db/orders/order-json.js';
import type { StoreShare } from '../../db/pools.js';
import { NotFound } from '../../domain/errors.js';
import { type NewEvent, orderChanged } from '../../domain/event/event.js';
import { applyPatch, type OrderState } from '../../domain/order/change.js';
import type { OrderPatch } from '../../domain/order/shapes.js';

/** Answers the JSON text of the Order as this change leaves it. */
export type ChangeOrder = (store: StoreShare, wanted: WantedChange) => Promise<string>;

interface WantedChange {
  readonly orderId: string;
  readonly patch: OrderPatch;
  readonly keyId: string;
}

const MOST_AT_ONCE = 200;

/**
 * Changes orders, those of a store that are asked for together in one statement and one after the other: each is decided
 * on what the one before it left. Changes of an order that another process has changed meanwhile are decided anew.
 */
export function createOrderChanges(db: Database, countSlot: number): ChangeOrder {
  return createBatches<StoreShare, WantedChange, string>(
    ({ storeKey }) => storeKey,
    (store) => ({ most: MOST_AT_ONCE, run: (asks) => changeAll(db, countSlot, store, asks) }),
  );
}

type Outcome = string | Error | typeof ASK_AGAIN;

async function changeAll(
  db: Database,
  countSlot: number,
  store: StoreShare,
  asks: readonly WantedChange[],
): Promise<Outcome[]> {
  const { storeKey } = store;
  const own = db.of(store);
  const read = await readChangeableOrders(own, storeKey, [...new Set(asks.map(({ orderId }) => orderId))]);
  const { outcomes, changes, events } = decide(read, asks);
  if (changes.length === 0) return outcomes;
  const { changed, lastSequence } = await changeOrders(own, storeKey, countSlot, changes, events);
  if (lastSequence !== undefined) db.tellEvents(storeKey, lastSequence);
  const lost = new Set(changes.map(({ before }) => before.id).filter((id) => !changed.has(id)));
  return outcomes.map((outcome, at) => (lost.has(asks[at]?.orderId ?? '') ? ASK_AGAIN : outcome));
}

interface Draft {
  readonly before: ChangeableOrder;
  readonly steps: OrderStep[];
  state: OrderState;
}

/** Applies the asks in their order to the orders as they were read. */
function decide(read: readonly ChangeableOrder[], asks: readonly WantedChange[]) {
  const drafts = new Map<string, Draft>(
    read.map((before) => [before.id, { before, state: before.state, steps: [] }]),
  );
  const events: OrderEvent[] = [];
  const outcomes = asks.map((ask): Outcome => {
    const draft = drafts.get(ask.orderId);
    if (draft === undefined) return new NotFound('Order');
    const { fixed } = draft.before;
    if (fixed === undefined) return ASK_AGAIN;
    try {
      const event = applyStep(draft, ask);
      if (event !== undefined) events.push({ orderId: ask.orderId, event });
      return orderText(fixed, draft.state);
    } catch (error) {
      return error as Error;
    }
  });
  return { outcomes, changes: [...drafts.values()].filter(({ steps }) => steps.length > 0), events };
}

/** Answers the event of the change; undefined when everything asked for is so already. */
function applyStep(draft: Draft, { patch, keyId }: WantedChange): NewEvent | undefined {
  const { before, steps, state: previous } = draft;
  const at = new Date().toISOString();
  const { state, fields } = applyPatch(previous, patch, at);
  if (fields.length === 0) return undefined;
  const revision = before.revision + steps.length + 1;
  steps.push({ revision, at, keyId, fields });
  draft.state = state;
  return orderChanged(
    { ...before, ...state, revision },
    { previousStatus: previous.status, fields: fields.map(({ field }) => field) },
    { keyId, at },
  );
}
