import type { StorePace } from '../pace/settings.js';
import { createQuotes } from './quote-store.js';
import { Quote, QuoteRequest } from './shapes.js';
import { jsonText } from '../http/response.js';
import { storeRoute, type Route } from '../http/route.js';
import { isMap } from '../support/maps.js';
import type { Menus } from '../menus/rendering/menus.js';
import { StoreParams } from '../tenants/routes.manage.js';

/** Prices an order and checks whether it can be sold. `orderShape` is what the intake takes: a quote ignores the rest of it. */
export function quoteRoutes(
  menus: Pick<Menus, 'prices' | 'readPhotos'>,
  storePace: StorePace,
  orderShape: { readonly properties: object },
): Route[] {
  const ignored = Object.keys(orderShape.properties).filter(
    (name) => !Object.hasOwn(QuoteRequest.properties, name),
  );
  const quote = createQuotes(menus, storePace);
  return [
    storeRoute('POST', '/manage/v1/stores/{store_id}/quote', 'quote_order', {
      tag: 'Orders',
      summary: 'Price an order against the menu',
      description:
        'Takes the body of an order and uses only its items. Stores nothing. Returns the total of each line and of the order, ' +
        'or every reason why it cannot be sold, and when it will be ready. Prices and `ready_by` in the body are checked.',
      permission: 'kitchen:read',
      params: StoreParams,
      body: { kind: 'unchecked json', schema: QuoteRequest, example: basketExample },
      responses: [{ status: 200, description: 'The order, priced', schema: Quote }],
      handler: async ({ db, store, body }) => jsonText(await quote(db, store, without(body, ignored))),
    }),
  ];
}

function without(body: unknown, names: readonly string[]): unknown {
  if (!isMap(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Items that the demo restaurant sells at any time. */
export const basketExample = {
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
