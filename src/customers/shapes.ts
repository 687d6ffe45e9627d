import { Type, type Static } from '../support/shape/type.js';
import { phoneDigits } from '../orders/list/search-text.js';
import { ManagedOrder, OrderChange } from '../orders/shapes.js';
import { exampleIds } from '../support/example-ids.js';
import { reportValueError, type Visit } from '../support/error-details.js';
import { withRule } from '../support/shape/compile-shape.js';
import { LEAST_DIGITS } from './find.sql.js';
import { NamedShape } from '../support/shape/common-shapes.js';

/** A phone number is compared by its digits alone. */
export const Phone = () =>
  withRule(
    Type.String({
      description: 'Compared by its digits, all of them; at least four',
      examples: ['+48 22 555 01 23'],
    }),
    (phone, visit) => {
      if (phoneDigits(phone).length < LEAST_DIGITS)
        reportValueError(visit, `a phone number needs at least ${LEAST_DIGITS} digits`, phone);
    },
  );

export const MOST_STORES = 1_000;

export const EraseRequest = withRule(
  NamedShape('EraseRequest', {
    phone: Type.Optional(Phone()),
    order_ids: Type.Optional(
      Type.Array(Type.String({ examples: [exampleIds.order] }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Instead of a phone number: these orders',
      }),
    ),
    store_ids: Type.Optional(
      Type.Array(Type.String({ examples: [exampleIds.trialStore] }), {
        minItems: 1,
        maxItems: MOST_STORES,
        description: 'Default: every store of the key',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Only count what would be erased', examples: [false] }),
    ),
  }),
  requireOneOf,
);
export type EraseRequest = Static<typeof EraseRequest>;

function requireOneOf(
  { phone, order_ids: ids }: { phone?: string; order_ids?: string[] },
  visit: Visit,
): void {
  if ((phone === undefined) === (ids === undefined))
    reportValueError(visit, 'state either phone or order_ids');
}

export const EraseReport = NamedShape('EraseReport', {
  dry_run: Type.Boolean(),
  orders: Type.Integer({ description: 'Orders whose customer was erased, or would be', examples: [3] }),
  stores: Type.Array(
    NamedShape('ErasedStore', {
      store_id: Type.String({ examples: [exampleIds.store] }),
      orders: Type.Integer({ examples: [3] }),
    }),
    { description: 'Those with such orders' },
  ),
});
export type EraseReport = Static<typeof EraseReport>;

/** What is held about a person, order by order. */
export const CustomerRecord = NamedShape('CustomerRecord', {
  store_id: Type.String(),
  order: ManagedOrder,
  history: Type.Array(OrderChange),
});
