import { quoteOrder } from '../domain/quote/quote-order.js';
import { quoteText } from '../domain/quote/quote-text.js';
import { Quote, QuoteRequest } from '../domain/quote/shapes.js';
import { jsonText } from '../http/answer.js';
import { storeRoute, type Route } from '../http/route.js';
import type { Menus } from '../menu-rendering/menus.js';
import { StoreParams } from './stores.js';

/** What an order comes to, and whether it can be sold. */
export function quoteRoutes(menus: Pick<Menus, 'prices'>): Route[] {
  return [
    storeRoute({
      method: 'POST',
      path: '/manage/v1/stores/{store_id}/quote',
      operationId: 'quote_order',
      tag: 'Orders',
      summary: 'Price an order by the menu',
      description:
        'Takes the body of an order, of which only the items count, and stores nothing. Answers what each line and the order ' +
        'come to, or everything that keeps it from being sold. Prices that are stated are checked.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      body: { kind: 'unchecked json', schema: QuoteRequest, example: EXAMPLE },
      answers: [{ status: 200, description: 'The order, priced', schema: Quote }],
      handler: async ({ store, body, gone }) => {
        const { storeKey, timezone = 'UTC', currency } = store;
        const wanted = store.menu;
        const { list, state } =
          menus.prices.cached(storeKey, wanted) ??
          (await menus.prices.read({ ...store, gone: gone() }, wanted));
        const { priced, faults } = quoteOrder(body, list, { at: Date.now(), timezone });
        faults.throwIfAny();
        if (priced === undefined) throw new Error('An order without faults was not priced');
        return jsonText(quoteText(priced, { ...state, currency }));
      },
    }),
  ];
}

/** What the demo restaurant sells at any time. */
const EXAMPLE = {
  items: [
    {
      external_id: 'flat-white',
      quantity: 2,
      modifiers: [
        { group_external_id: 'milk', external_id: 'oat-milk' },
        { group_external_id: 'size', external_id: 'size-large' },
      ],
    },
  ],
};
