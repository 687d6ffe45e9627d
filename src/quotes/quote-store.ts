import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { StorePace } from '../pace/settings.js';
import type { Queryable } from '../postgres/database.js';
import { checkPace } from './check-pace.js';
import { quoteOrder, quoteText } from './quote-order.js';

interface Asker {
  readonly db: Queryable;
  readonly store: RequestedStore;
  readonly signal: () => AbortSignal;
}

/** Prices an order by the menu and the pace of a store as they are now: the JSON text of a Quote, or all that is wrong. */
export function createQuotes(
  menus: Pick<Menus, 'prices'>,
  storePace: StorePace,
): (tenant: Asker, body: unknown) => Promise<string> {
  return async ({ db, store, signal }, body) => {
    const { storeKey, timezone = 'UTC', currency } = store;
    const prices =
      menus.prices.cached(storeKey, store.menu) ??
      (await menus.prices.read({ ...store, signal: signal() }, store.menu));
    const { list, state } = await menus.prices.withCounts(store, prices);
    const moved = await storePace.movedDaysOf(db, store);
    const { priced, faults, ...quoted } = quoteOrder(body, list, { at: Date.now(), timezone, moved });
    const pace = await storePace.paceOf(db, store, quoted.at ?? Date.now());
    const wanted = quoted.readyBy === undefined ? undefined : Date.parse(quoted.readyBy);
    const readyBy = await checkPace(pace, wanted, quoted.size, faults);
    faults.throwIfAny();
    if (priced === undefined) throw new Error('An order without errors was not priced');
    const { prepMinutes } = quoted.size;
    return quoteText(priced, { ...state, currency, readyBy, prepMinutes });
  };
}
