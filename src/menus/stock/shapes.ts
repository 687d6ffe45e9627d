import { Type, type Static } from '../../support/shape/type.js';
import { DAY_MS, parseDatetime } from '../../support/datetime.js';
import { inside, reportError, reportValueError, type Visit } from '../../support/error-details.js';
import { Datetime, ExternalId, NamedShape } from '../../support/shape/common-shapes.js';
import { withRule } from '../../support/shape/compile-shape.js';
import { nextLocalTime } from '../../calendar/open-hours.js';
import type { StockChange } from './marks.js';

const MOST_DAYS = 366;
const MOST_LEFT = 100_000;
const MOST_ITEMS = 1_000;
const END_OF_DAY = 'end_of_day';
/** On the store's clock. By then, stores that close after midnight have closed. */
const DAY_ENDS_AT = 6 * 3600;

const Until = () =>
  withRule(
    Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 64,
        description:
          'With `in_stock: false`: when it is back, a date-time within 366 days, or `end_of_day`, the next 06:00 of ' +
          'the store. Left out, it stays sold out until it is marked again',
        examples: [END_OF_DAY],
      }),
    ),
    checkUntil,
  );

function checkUntil(until: string | null, visit: Visit): void {
  if (until === null || until === END_OF_DAY) return;
  const parsed = parseDatetime(until);
  if (!parsed.ok) {
    const msg = `Input should be a valid datetime or date, ${parsed.reason}, or '${END_OF_DAY}'`;
    reportError(visit, 'datetime_from_date_parsing', msg, until, { error: parsed.reason });
    return;
  }
  const ahead = parsed.instant.ms - Date.now();
  if (ahead <= 0 || ahead > MOST_DAYS * DAY_MS)
    reportValueError(visit, `until should lie in the next ${MOST_DAYS} days`, until);
}

const Left = () =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: MOST_LEFT,
      description: 'How many are left: orders count it down, and at 0 it is sold out; null stops the count',
      examples: [12],
    }),
  );

const InStock = () =>
  Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'null takes the mark away: what the menu says holds again',
    }),
  );
const PrepType = () =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 10_000,
      description: 'null or an empty text takes it away',
    }),
  );

function requireSoldOut(mark: { in_stock?: boolean | null; until?: string | null }, visit: Visit): void {
  if (mark.until === undefined || mark.until === null || mark.in_stock === false) return;
  inside(visit, 'until', () => reportValueError(visit, 'until goes with in_stock false', mark.until));
}

const itemMark = { in_stock: InStock(), until: Until(), left: Left(), prep_type: PrepType() };

export const ItemMark = withRule(Type.Object(itemMark, { $id: 'ItemMark' }), requireSoldOut);

export const ModifierItemMark = withRule(
  NamedShape('ModifierItemMark', { in_stock: InStock(), until: Until() }),
  requireSoldOut,
);

const NamedItemMark = withRule(
  NamedShape('NamedItemMark', { external_id: ExternalId({ examples: ['flat-white'] }), ...itemMark }),
  requireSoldOut,
);

export const ItemMarks = NamedShape('ItemMarks', {
  items: Type.Array(NamedItemMark, { maxItems: MOST_ITEMS }),
});

export const StockMark = NamedShape('StockMark', {
  id: Type.Integer(),
  external_id: Type.String(),
  in_stock: Type.Boolean(),
  until: Type.Optional(Datetime({ description: 'When it is back in stock' })),
  left: Type.Optional(Type.Integer({ description: 'How many are left, where they are counted' })),
  prep_type: Type.Optional(Type.String()),
});

export const StockMarks = NamedShape('StockMarks', { items: Type.Array(StockMark) });

/** What a request states, with `until` as a moment of the store's clock. */
export function toStockChange(mark: Static<typeof ItemMark>, timezone: string | undefined): StockChange {
  const { in_stock: inStock, prep_type: prepType, left, until } = mark;
  return { inStock, prepType, left, until: until && toMoment(until, timezone) };
}

function toMoment(until: string, timezone = 'UTC'): string {
  const parsed = until === END_OF_DAY ? undefined : parseDatetime(until);
  const ms = parsed?.ok === true ? parsed.instant.ms : nextLocalTime(DAY_ENDS_AT, Date.now(), timezone);
  return new Date(ms).toISOString();
}
