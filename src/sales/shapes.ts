import { Type, type Static } from '../support/shape/type.js';
import { METHODS, SERVICES } from '../orders/fact-shapes.js';
import { ORDER_STATUSES } from '../orders/status.js';
import { parseDate } from '../calendar/open-hours.js';
import { PartQuery } from '../tenants/part.js';
import { exampleIds } from '../support/example-ids.js';
import { inside, reportValueError, type Visit } from '../support/error-details.js';
import { Defaulted, MultilingualText, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';

const MOST_ROWS = 1_000;
const GROUPINGS = [
  'day',
  'hour',
  'weekday',
  'item',
  'category',
  'status',
  'service',
  'source',
  'method',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Monday first, as weeks are numbered from the year 1. */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const MOST_DAYS = 400;

const LocalDate = (description: string) =>
  withRule(Type.String({ description, examples: ['2026-11-01'] }), (text, visit) => {
    if (parseDate(text) === undefined) reportValueError(visit, 'not a date such as 2026-11-01', text);
  });

const salesQuery = {
  from: Type.Optional(LocalDate('The first day, on the clock of the store. Default: the last day')),
  to: Type.Optional(LocalDate(`The last day, included; at most ${MOST_DAYS} days in all. Default: today`)),
  by: Defaulted(
    OneOf(GROUPINGS, {
      default: 'day',
      description: 'What each row adds up. `hour` is the hour of the day, over all the days',
      examples: ['day'],
    }),
  ),
  limit: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: MOST_ROWS,
      default: 200,
      description:
        'By item, category and source: how many rows, most sold first (by units; sources by price). The rest is one more row',
      examples: [200],
    }),
  ),
};

export const SalesQuery = withRule(Type.Object(salesQuery), refuseWrongRange);
export type SalesQuery = Static<typeof SalesQuery>;

export const SalesOfStoresQuery = withRule(
  Type.Object({
    ...salesQuery,
    store_ids: Type.Optional(
      Type.String({
        description: 'Ids of stores, separated by commas. Default: all stores of the key',
        examples: [exampleIds.store],
      }),
    ),
    part: PartQuery,
  }),
  refuseWrongRange,
);

function refuseWrongRange({ from, to }: { from?: string; to?: string }, visit: Visit): void {
  if (from === undefined || to === undefined) return;
  const [first, last] = [parseDate(from), parseDate(to)];
  if (first === undefined || last === undefined) return;
  const refuse = (reason: string) => inside(visit, 'to', () => reportValueError(visit, reason, to));
  if (last < first) refuse('`to` is before `from`');
  else if (last - first >= MOST_DAYS) refuse(`from and to are more than ${MOST_DAYS} days apart`);
}

const amounts = {
  price: Type.Integer({ description: 'Without tax' }),
  tax: Type.Integer(),
};
const itemAmounts = {
  units: Type.Optional(Type.Integer({ description: 'How many, by item and by category' })),
  orders: Type.Optional(
    Type.Integer({
      description: 'How many orders; by method, how many payments. Not by item and by category',
    }),
  ),
  ...amounts,
};

const SalesAmounts = Type.Object(itemAmounts, { $id: 'SalesAmounts' });

const Part = (description: string) =>
  Type.Optional(Type.Object({ price: Type.Integer(), tax: Type.Integer() }, { description }));

/** What was sold, and apart from it what was cancelled or rejected. */
const salesFields = {
  ...itemAmounts,
  charges: Part(
    'What of it was charges, such as delivery fees; where there were some, by day, weekday and in all',
  ),
  discounts: Part('What was taken off it; where there were some, by day, weekday and in all'),
  tip: Type.Optional(Type.Integer({ description: 'Beside price and tax; by day, weekday and in all' })),
  cancelled: Type.Optional(SalesAmounts),
  rejected: Type.Optional(SalesAmounts),
};

const SalesTotal = Type.Object(salesFields, { $id: 'SalesTotal' });

const SalesRow = NamedShape('SalesRow', {
  day: Type.Optional(Type.String({ examples: ['2026-11-01'] })),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
  weekday: Type.Optional(OneOf(WEEKDAYS)),
  status: Type.Optional(OneOf(ORDER_STATUSES)),
  service: Type.Optional(OneOf(SERVICES, { description: 'Absent for orders that say none' })),
  source: Type.Optional(Type.String({ description: 'Absent for orders that say none' })),
  method: Type.Optional(OneOf(METHODS)),
  external_id: Type.Optional(
    Type.String({ description: 'Of the item or category; absent for lines that name none' }),
  ),
  name: Type.Optional(MultilingualText),
  rest: Type.Optional(
    Type.Integer({
      description: 'Only in the row that adds up the rest: how many items, categories or sources',
      examples: [12],
    }),
  ),
  ...salesFields,
});
export type SalesRow = Static<typeof SalesRow>;

export const Sales = NamedShape(
  'Sales',
  {
    from: Type.String({ examples: ['2026-11-01'] }),
    to: Type.String({ examples: ['2026-11-07'] }),
    timezone: Type.Optional(Type.String({ description: 'Absent where the stores have different ones' })),
    currency: Type.Optional(Type.String()),
    by: OneOf(GROUPINGS),
    rows: Type.Array(SalesRow),
    total: SalesTotal,
  },
  {
    description:
      'Amounts are in the minor unit of the currency. What is cancelled or rejected is not in `orders`, `units`, ' +
      '`price` and `tax`, but apart. By method, `price` is what was paid, with tax and tip.',
  },
);
export type Sales = Static<typeof Sales>;
