import Type from 'typebox';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import type { Menus } from '../../menus/rendering/menus.js';
import type { StorePace } from '../../pace/settings.js';
import type { Database } from '../../postgres/database.js';
import { checkPace } from '../../quotes/check-pace.js';
import { quoteOrder, quoteText } from '../../quotes/quote-order.js';
import { Overloaded, TotalOutdated } from '../../support/errors.js';
import { compileBody } from '../../support/shape/compile-shape.js';
import {
  ChangedMeanwhile,
  type IncomingOrder,
  type OrderCheck,
  type OrderIntake,
  type OrderTakenIn,
} from './intake.js';
import type { OrderRequest } from '../shapes.js';
import { isGivenUp } from '../status.js';

const ATTEMPTS = 5;

/**
 * Takes in an order that menu and kitchen allow. One that came before is given back as it is, whatever the menu says by now:
 * it is looked for only where the check fails, so that a new order costs no look. What is sold, or fills
 * its slot, while the order is checked has it checked again.
 */
export async function takeInChecked(
  intake: OrderIntake,
  checker: Checker,
  incoming: IncomingOrder,
): Promise<OrderTakenIn> {
  for (let attempt = 1; ; attempt += 1) {
    let check: OrderCheck;
    try {
      await incoming.guest?.requireRoom();
      check = await checkOrder(checker, incoming.store, incoming.request, attempt === 1);
    } catch (error) {
      const earlier = await intake.findRepeated(incoming);
      if (earlier === undefined) throw error;
      return earlier;
    }
    try {
      return await intake.takeIn({ ...incoming, check });
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === ATTEMPTS) throw new Overloaded('What is left changes too fast. Try again.');
    }
  }
}

/** What an order is checked with. */
export interface Checker {
  readonly db: Database;
  readonly prices: Menus['prices'];
  readonly storePace: StorePace;
}

const requireLines = compileBody(Type.Object({ items: Type.Array(Type.Object({}), { minItems: 1 }) }));

/** Refuses what a quote would, and an order without a line; answers the version of the menu. An order that states its time is checked for that. */
async function checkOrder(
  { prices, storePace, db }: Checker,
  store: RequestedStore,
  request: OrderRequest,
  isFirst: boolean,
): Promise<OrderCheck> {
  requireLines(request);
  const { timezone = 'UTC', currency } = store;
  const { list, state } = await prices.withCounts(store, await prices.read(store, store.menu));
  const { items, price, tax, created_at: createdAt, expected_total: expected } = request;
  const at = createdAt === undefined ? Date.now() : Date.parse(createdAt);
  const wanted = request.ready_by === undefined ? undefined : Date.parse(request.ready_by);
  const own = db.forTenant(store);
  const moved = await storePace.movedDaysOf(own, store);
  const { priced, faults, size } = quoteOrder({ items, price, tax }, list, { at, timezone, moved });
  const { prepMinutes } = size;
  if (
    expected !== undefined &&
    priced !== undefined &&
    (expected.price !== priced.price || expected.tax !== priced.tax)
  ) {
    const pace = await storePace.paceOf(own, store, at, wanted);
    const readyBy =
      checkPace(pace, request.ready_by, size, faults) ?? checkPace(pace, undefined, size, faults);
    throw new TotalOutdated(quoteText(priced, { ...state, currency, readyBy, prepMinutes }));
  }
  // The statement that writes the order counts its slot: on the first attempt the other slots matter only to a promise
  // and to a refusal.
  const empty = isFirst ? await storePace.emptyPaceOf(own, store, at) : undefined;
  const isTaken = wanted !== undefined && empty?.check(wanted, size) === undefined;
  const pace = empty !== undefined && isTaken ? empty : await storePace.paceOf(own, store, at, wanted);
  const readyBy = checkPace(pace, request.ready_by, size, faults);
  faults.throwIfAny();
  if (readyBy === undefined || priced === undefined)
    throw new Error('An order without errors has no time or no price');
  const slot = isGivenUp(request.status ?? 'PENDING') ? undefined : pace.slotOf(readyBy);
  const place = { prepMinutes, slot, capacity: pace.capacity };
  return { version: state.version, priced, readyBy: new Date(readyBy).toISOString(), place };
}
