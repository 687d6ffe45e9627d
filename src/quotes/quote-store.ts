import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { StorePace } from '../pace/settings.js';
import type { Queryable } from '../postgres/database.js';
import { checkPace, refusePace, servedAt } from './check-pace.js';
import { quoteOrder, quoteText, readAsked } from './quote-order.js';

/** Prices an order by the menu and the pace of a store as they are now: the JSON text of a Quote, or all that is wrong. */
export function createQuotes(menus: Pick<Menus, 'prices' | 'readPhotos'>, storePace: StorePace) {
  return async (db: Queryable, store: RequestedStore, body: unknown): Promise<string> => {
    const { timezone = 'UTC', currency } = store;
    const { list, state } = await menus.prices.withCounts(store, await menus.prices.read(store, store.menu));
    const moved = await storePace.movedDaysOf(db, store);
    const now = Date.now();
    const { size, readyBy: wanted, at = now } = readAsked(body, list, now);
    const outcome = await checkPace(await storePace.paceOf(db, store, at), wanted, size);
    const { priced, errors } = quoteOrder(
      body,
      list,
      { at: now, timezone, moved },
      servedAt(outcome, wanted),
    );
    if (typeof outcome !== 'number') refusePace(outcome, errors);
    errors.throwIfAny();
    if (priced === undefined || typeof outcome !== 'number')
      throw new Error('An order without errors was not priced');
    const photos = await menus.readPhotos(store, state);
    return quoteText(priced, { ...state, currency, readyBy: outcome, prepMinutes: size.prepMinutes, photos });
  };
}
