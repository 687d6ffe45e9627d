import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import type { Menus } from '../../menus/rendering/menus.js';
import type { StorePace } from '../../pace/settings.js';
import type { Database } from '../../postgres/database.js';
import { checkPace, refusePace, servedAt } from '../../quotes/check-pace.js';
import { quoteOrder, quoteText, readAsked, servedUntil } from '../../quotes/quote-order.js';
import { TooManyRequests, AmountOutdated } from '../../support/errors.js';
import { ErrorList, ValidationFailed } from '../../support/error-details.js';
import { compileBody } from '../../support/shape/compile-shape.js';
import type { RefusedOrder } from './insert.sql.js';
import { GoneMeanwhile, type IncomingOrder, type OrderCheck, type OrderIntake } from './intake.js';
import type { OrderTakenIn } from './earlier-orders.js';
import { CheckedLines, type OrderRequest } from '../request-shapes.js';
import { isGivenUp } from '../status.js';

/**
 * Takes in an order that menu and kitchen allow. One that came before is given back as it is, whatever the menu says by now:
 * it is looked for only where the order is refused, so that a new order costs no look.
 */
export async function takeInChecked(
  intake: OrderIntake,
  checker: Checker,
  incoming: IncomingOrder,
): Promise<OrderTakenIn> {
  try {
    await incoming.guest?.requireRoom();
    const check = await checkOrder(checker, incoming.store, incoming.request);
    try {
      return await intake.takeIn({ ...incoming, check });
    } catch (error) {
      throw error instanceof GoneMeanwhile ? await explain(checker, incoming, check, error.refusal) : error;
    }
  } catch (error) {
    const earlier = await intake.findRepeated(incoming);
    if (earlier === undefined) throw error;
    return earlier;
  }
}

/**
 * What an order is answered that was in order when it was checked, and whose slot, stock or turn had gone when it was written. The
 * check is made again with what was found then. If it now finds nothing wrong, because someone gave back what was missing, the
 * order is refused all the same: the next attempt finds it.
 */
async function explain(
  checker: Checker,
  incoming: IncomingOrder,
  check: OrderCheck,
  refusal: RefusedOrder,
): Promise<unknown> {
  try {
    await incoming.guest?.requireRoom();
    await checkOrder(checker, incoming.store, incoming.request, refusal);
  } catch (error) {
    return error;
  }
  const errors = new ErrorList();
  switch (refusal.reason) {
    case 'place':
      return new TooManyRequests(1, 'This place has just ordered. Try again.');
    case 'slot':
      refusePace({ type: 'slot_full', nextAt: Date.parse(check.readyBy) }, errors);
      break;
    case 'stock':
      errors.add({ loc: ['body', 'items'], msg: 'Something of this has just sold out', type: 'sold_out' });
      break;
  }
  return new ValidationFailed(errors.toArray());
}

export interface Checker {
  readonly db: Database;
  readonly prices: Menus['prices'];
  readonly storePace: StorePace;
}

const requireLines = compileBody(CheckedLines);

/**
 * Refuses what a quote would, and an order without a line; answers the version of the menu. Whether the slot of a stated time has
 * room is left to the statement that writes the order, until that has refused it.
 */
async function checkOrder(
  { prices, storePace, db }: Checker,
  store: RequestedStore,
  request: OrderRequest,
  refusal?: RefusedOrder,
): Promise<OrderCheck> {
  requireLines(request);
  const { timezone = 'UTC', currency } = store;
  const { list: read, state } = await prices.withCounts(store, await prices.read(store, store.menu));
  const left = refusal?.left?.map(({ entity_id: id, left: units }) => [id, units] as const) ?? [];
  const list = left.length === 0 ? read : { ...read, counts: new Map([...read.counts, ...left]) };
  const { items, price, tax, charges, discounts, tip } = request;
  const { created_at: createdAt, expected_total: expected } = request;
  const at = createdAt === undefined ? Date.now() : Date.parse(createdAt);
  const wanted = request.ready_by === undefined ? undefined : Date.parse(request.ready_by);
  const own = db.forTenant(store);
  const moved = await storePace.movedDaysOf(own, store);
  const asked = { items, price, tax, charges, discounts, tip };
  const { size } = readAsked(asked, list, at);
  const { prepMinutes } = size;
  const empty = await storePace.emptyPaceOf(own, store, at);
  const isLeftToStatement =
    wanted !== undefined && refusal === undefined && (await empty.check(wanted, size)) === undefined;
  const pace = isLeftToStatement ? empty : await storePace.paceOf(own, store, at);
  const outcome = await checkPace(pace, wanted, size);
  const moment = { at, timezone, moved };
  const { priced, errors } = quoteOrder(asked, list, moment, servedAt(outcome, wanted));
  if (
    expected !== undefined &&
    priced !== undefined &&
    (expected.price !== priced.price || expected.tax !== priced.tax)
  ) {
    const full = await storePace.paceOf(own, store, at);
    const possible = [await checkPace(full, wanted, size), await full.promise(size)];
    const readyBy = possible.find((time) => typeof time === 'number');
    throw new AmountOutdated('quote', quoteText(priced, { ...state, currency, readyBy, prepMinutes }));
  }
  if (typeof outcome !== 'number') refusePace(outcome, errors);
  errors.throwIfAny();
  if (typeof outcome !== 'number' || priced === undefined)
    throw new Error('An order without errors has no time or no price');
  const search =
    wanted === undefined
      ? pace.searchFrom(outcome, size, servedUntil(priced, list, { ...moment, at: outcome }))
      : pace.searchAt(wanted, size);
  const takesSlot = !isGivenUp(request.status ?? 'PENDING');
  const place = { prepMinutes, search: takesSlot ? search : undefined };
  return { version: state.version, priced, readyBy: new Date(outcome).toISOString(), place };
}
