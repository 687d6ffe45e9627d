import { Type } from '../support/shape/type.js';
import { scopeOf } from '../access/principal.js';
import { CSV, csvFile, json, withHeaders } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import { formatCsv } from '../support/csv.js';
import { exampleIds } from '../support/example-ids.js';
import { reportValueError, valueError } from '../support/error-details.js';
import { Limit, NamedShape } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { IdCursor } from '../support/shape/id-cursor.js';
import { findNamedStores } from '../tenants/stores.sql.js';
import { readUsage, type Month, type UsageRow } from './usage.sql.js';

const StoreUsage = NamedShape('StoreUsage', {
  store_id: Type.String({ examples: [exampleIds.store] }),
  merchant_id: Type.String({ examples: [exampleIds.merchant] }),
  orders: Type.Integer({ description: 'Orders created in the month, in UTC' }),
  guest_orders: Type.Integer({ description: 'Those of them that guests made at a place' }),
  events: Type.Integer({ description: 'All events of the store so far: compare with the month before' }),
  bytes: Type.Integer({ description: 'About what the store takes in the database now' }),
});

const Usage = NamedShape('Usage', {
  month: Type.String({ examples: ['2026-11'] }),
  stores: Type.Array(StoreUsage),
  cursor: Type.Optional(Type.String()),
  has_more: Type.Boolean(),
});

const NOTHING: UsageRow = { orders: 0, guest_orders: 0, events: 0, bytes: 0 };
const COLUMNS = ['store_id', 'merchant_id', 'orders', 'guest_orders', 'events', 'bytes'] as const;

/** What each store used, for a bill. */
export function usageRoutes(): Route[] {
  return [
    route('GET', '/manage/v1/usage', 'get_usage', {
      tag: 'Stores',
      summary: 'Get what each store used in a month',
      description:
        'In the order of the ids. `Accept: text/csv` gives the same page as CSV: continue after its last store.',
      permission: 'operator',
      query: Type.Object({
        month: withRule(
          Type.String({ description: 'Such as 2026-11, in UTC', examples: ['2026-11'] }),
          (text, visit) => {
            if (readMonth(text) === undefined) reportValueError(visit, 'month should be YYYY-MM', text);
          },
        ),
        merchant_id: Type.Optional(
          Type.String({ description: 'Only stores of this merchant', examples: [exampleIds.merchant] }),
        ),
        cursor: IdCursor,
        limit: Limit,
      }),
      headers: Type.Object({
        Accept: Type.Optional(Type.String({ description: '`text/csv` for a table', examples: [CSV] })),
      }),
      hasLargeResponse: true,
      responses: [{ status: 200, description: 'The usage', schema: Usage, orAsText: CSV }],
      handler: async ({
        db,
        principal,
        query: { month, merchant_id: merchantId, cursor, limit },
        request,
      }) => {
        const range = readMonth(month);
        if (range === undefined) throw valueError(['query', 'month'], 'month should be YYYY-MM', month);
        const scope = scopeOf(principal, merchantId);
        const found = await findNamedStores(db, scope, { after: cursor }, limit + 1);
        const page = found.slice(0, limit);
        const used = await readUsage(
          db,
          range,
          page.map(({ storeKey }) => storeKey),
        );
        const stores = page.map(({ id, merchantId: owner, storeKey }) => ({
          store_id: id,
          merchant_id: owner,
          ...(used.get(storeKey) ?? NOTHING),
        }));
        if (request.headers.accept?.includes(CSV) === true) {
          const rows = stores.map((store) => COLUMNS.map((column) => String(store[column])));
          return csvFile(`usage-${month}.csv`, formatCsv([COLUMNS, ...rows]));
        }
        const last = stores.at(-1)?.store_id ?? cursor;
        const answer = json({ month, stores, cursor: last, has_more: found.length > limit });
        return withHeaders(answer, ['vary', 'accept']);
      },
    }),
  ];
}

function readMonth(text: string): Month | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || year < 1970) return undefined;
  return { from: new Date(Date.UTC(year, month - 1)), to: new Date(Date.UTC(year, month)) };
}
