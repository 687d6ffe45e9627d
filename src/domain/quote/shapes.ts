import Type, { type Static } from 'typebox';
import { Datetime, MultilingualText } from '../shape/common-shapes.js';

/** Quotes on the wire. Amounts are in the minor unit of the store's currency. */

export const MOST_LINES = 1_000;
const MOST_UNITS = 10_000;

const Id = (example: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [example] });
const Quantity = () => Type.Integer({ minimum: 1, maximum: MOST_UNITS, examples: [1] });
const Amount = (options: object = {}) => Type.Integer({ minimum: 0, ...options });
const Stated = (description: string, example: number) =>
  Type.Optional(Type.Integer({ description, examples: [example] }));

const QuoteModifierRequest = Type.Object(
  {
    group_external_id: Id('milk', 'A modifier group of the item'),
    external_id: Id('oat-milk', 'A modifier item of the group'),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_UNITS,
        description: 'For each item sold; 1 if left out',
        examples: [1],
      }),
    ),
    price_change: Stated('Checked where it is stated', 40),
    tax_change: Stated('Checked where it is stated', 4),
  },
  { $id: 'QuoteModifierRequest' },
);

export const QuoteLineRequest = Type.Object(
  {
    external_id: Id('flat-white', 'An item of the menu'),
    quantity: Quantity(),
    price: Stated('Of one, without modifiers; checked where it is stated', 320),
    tax: Stated('Of one, without modifiers; checked where it is stated', 32),
    modifiers: Type.Optional(Type.Array(QuoteModifierRequest)),
  },
  { $id: 'QuoteLineRequest' },
);
export type QuoteLineRequest = Static<typeof QuoteLineRequest>;
export type QuoteModifierRequest = Static<typeof QuoteModifierRequest>;

const envelope = {
  price: Stated('Of the whole order; checked where it is stated', 840),
  tax: Stated('Of the whole order; checked where it is stated', 84),
  at: Type.Optional(Datetime({ description: 'The moment to price for; now if left out' })),
};

export const QuoteRequest = Type.Object(
  { items: Type.Array(QuoteLineRequest, { maxItems: MOST_LINES }), ...envelope },
  { $id: 'QuoteRequest' },
);

/** A quote request with its lines unchecked: they are checked one by one, each with what the menu says of it. */
export const QuoteEnvelope = Type.Object({
  items: Type.Array(Type.Object({}), { maxItems: MOST_LINES }),
  ...envelope,
});

const QuoteModifier = Type.Object(
  {
    group_external_id: Type.String({ examples: ['milk'] }),
    external_id: Type.String({ examples: ['oat-milk'] }),
    name: MultilingualText,
    quantity: Quantity(),
    free_quantity: Type.Integer({ description: 'So many of them are free', examples: [0] }),
    price_change: Type.Integer({ examples: [40] }),
    tax_change: Type.Integer({ examples: [4] }),
  },
  { $id: 'QuoteModifier' },
);

const QuoteLine = Type.Object(
  {
    external_id: Type.String({ examples: ['flat-white'] }),
    name: MultilingualText,
    quantity: Quantity(),
    price: Amount({ description: 'Of one, without modifiers', examples: [320] }),
    tax: Amount({ description: 'Of one, without modifiers', examples: [32] }),
    modifiers: Type.Array(QuoteModifier),
    total_price: Amount({
      description: 'Of the line: (item + charged modifiers) x quantity',
      examples: [840],
    }),
    total_tax: Amount({ examples: [84] }),
  },
  { $id: 'QuoteLine' },
);

export const Quote = Type.Object(
  {
    menu_version: Type.Integer({ examples: [3] }),
    stock_revision: Type.Integer(),
    at: Datetime({ description: 'The moment it is priced for' }),
    currency: Type.Optional(Type.String({ examples: ['EUR'] })),
    items: Type.Array(QuoteLine),
    price: Amount({ examples: [840] }),
    tax: Amount({ examples: [84] }),
  },
  { $id: 'Quote' },
);
