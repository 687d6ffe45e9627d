import type { RequestedStore } from '../../db/callers.js';
import { TotalOutdated } from '../../domain/errors.js';
import type { OrderRequest } from '../../domain/order/shapes.js';
import { quoteOrder } from '../../domain/quote/quote-order.js';
import { quoteText } from '../../domain/quote/quote-text.js';
import type { Menus } from '../../menu-rendering/menus.js';
import type { IncomingOrder, OrderIntake, OrderTakenIn } from './take-in-order.js';

/**
 * Takes in an order that the menu allows. One that came before is given back as it is, whatever the menu says by now:
 * it is looked for only where the check fails, so that a new order costs no look.
 */
export async function takeInChecked(
  intake: OrderIntake,
  prices: Menus['prices'],
  store: RequestedStore,
  incoming: IncomingOrder,
): Promise<OrderTakenIn> {
  let checkedVersion: number;
  try {
    checkedVersion = await checkOrder(prices, store, incoming.request);
  } catch (error) {
    const earlier = await intake.findRepeated(incoming);
    if (earlier === undefined) throw error;
    return earlier;
  }
  return intake.takeIn({ ...incoming, checkedVersion });
}

/** Refuses what a quote would; answers the version of the menu. An order that states its time is checked for that. */
async function checkOrder(
  prices: Menus['prices'],
  store: RequestedStore,
  request: OrderRequest,
): Promise<number> {
  const { timezone = 'UTC', currency } = store;
  const { list, state } = await prices.read(store, store.menu);
  const { items, price, tax, created_at: createdAt, expected_total: expected } = request;
  const at = createdAt === undefined ? Date.now() : Date.parse(createdAt);
  const { priced, faults } = quoteOrder({ items, price, tax }, list, { at, timezone });
  const holds = priced === undefined || (expected?.price === priced.price && expected.tax === priced.tax);
  if (expected !== undefined && !holds) throw new TotalOutdated(quoteText(priced, { ...state, currency }));
  faults.throwIfAny();
  return state.version;
}
