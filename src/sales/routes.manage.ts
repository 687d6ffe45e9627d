import type { IncomingMessage } from 'node:http';
import { Type } from '../support/shape/type.js';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { refuseMoving } from '../access/moving.js';
import { scopeOf, type Principal } from '../access/principal.js';
import { problem } from '../http/errors.js';
import { CSV, csvFile, json, withHeaders, type Response } from '../http/response.js';
import { route, storeRoute, type Route } from '../http/route.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { Queryable } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import { valueError } from '../support/error-details.js';
import { isResourceId } from '../support/uuid.js';
import { mostStores, MOST_STORES, parsePart, type Part } from '../tenants/part.js';
import { StoreParams } from '../tenants/routes.manage.js';
import { listRequestedStores } from '../tenants/stores.sql.js';
import { toCsv } from './csv.js';
import { readSales } from './sales.js';
import { Sales, SalesOfStoresQuery, SalesQuery } from './shapes.js';

const DESCRIPTION =
  'An order counts on the day and in the hour at which it was created, on the clock of the store. Until it is cancelled or rejected, ' +
  'it is sold. Figures stay when orders are removed. `Accept: text/csv` returns the rows as CSV.';

const Accept = Type.Object({
  Accept: Type.Optional(Type.String({ description: '`text/csv` for CSV', examples: ['application/json'] })),
});
const responses = [{ status: 200, description: 'The sales', schema: Sales, orAsText: CSV }];

/** What stores have sold. */
export function salesRoutes({ menus }: { readonly menus: Menus }): Route[] {
  const context = (db: Queryable) => ({ db, prices: menus.prices, now: Date.now() });
  return [
    storeRoute('GET', '/manage/v1/stores/{store_id}/sales', 'get_sales', {
      tag: 'Sales',
      summary: 'Get the sales of a store',
      description: DESCRIPTION,
      permission: 'read',
      params: StoreParams,
      query: SalesQuery,
      hasLargeResponse: true,
      headers: Accept,
      responses,
      handler: async ({ db, store, query, request }) =>
        asAccepted(request, await readSales(context(db), [store], query)),
    }),
    route('GET', '/manage/v1/sales', 'get_sales_of_stores', {
      tag: 'Sales',
      summary: 'Get the sales of several stores together',
      description: `For at most ${MOST_STORES.whole} stores with one currency, or ${MOST_STORES.part.toLocaleString('en')} of a \`part\`, each by its own clock. ${DESCRIPTION}`,
      permission: 'read',
      query: SalesOfStoresQuery,
      hasLargeResponse: true,
      headers: Accept,
      responses: [...responses, problem(404, 'One of the stores does not exist, or the key may not see it')],
      handler: async ({ db, principal, query, request }) =>
        asAccepted(
          request,
          await readSales(
            context(db),
            await findStores(db, principal, query.store_ids, parsePart(query.part)),
            query,
          ),
        ),
    }),
  ];
}

async function findStores(
  db: Queryable,
  principal: Principal,
  listed: string | undefined,
  part: Part | undefined,
): Promise<RequestedStore[]> {
  const most = mostStores(part);
  const ids = listed === undefined ? undefined : [...new Set(listed.split(',').map((id) => id.trim()))];
  if (ids !== undefined && ids.length > MOST_STORES.whole)
    throw valueError(['query', 'store_ids'], `at most ${MOST_STORES.whole} stores`);
  if (ids?.some((id) => !isResourceId(id)) === true) throw new NotFound('Store');
  const stores = await listRequestedStores(db, scopeOf(principal), { ids, part }, most + 1);
  if (stores.length > most)
    throw valueError(
      ['query', 'store_ids'],
      `this key sees more than ${most} stores; name those you want, or ask by part`,
    );
  if (ids !== undefined && part === undefined && stores.length < ids.length) throw new NotFound('Store');
  for (const { moving } of stores) refuseMoving(moving, false);
  return stores;
}

function asAccepted({ headers }: IncomingMessage, sales: Sales): Response {
  if (!wantsCsv(headers.accept)) return withHeaders(json(sales), ['vary', 'accept']);
  const { by, from, to } = sales;
  return csvFile(`sales-by-${by}-${from}-${to}.csv`, toCsv(sales));
}

/** Whichever of the two the client names first; JSON where it names neither. */
function wantsCsv(accept = ''): boolean {
  const first = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
  return first.find((type) => type === CSV || type === 'application/json') === CSV;
}
