import { Type, type Static, type TObject, type TUnsafe } from '../support/shape/type.js';
import { DEEPEST_MODIFIERS } from '../menus/modifier-groups.js';
import { Photo } from '../menus/photos/shapes.js';
import { amountFields } from './amounts.js';
import { reportError, type Visit } from '../support/error-details.js';
import { Datetime, MultilingualText, NamedShape } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';

/** Quotes on the wire. Amounts are in the minor unit of the store's currency. */

export const MOST_LINES = 1_000;
const MOST_UNITS = 10_000;

const Id = (example: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [example] });
export const Quantity = () => Type.Integer({ minimum: 1, maximum: MOST_UNITS, examples: [1] });
const Amount = (options: object = {}) => Type.Integer({ minimum: 0, ...options });
const Stated = (description: string, example: number) =>
  Type.Optional(Type.Integer({ description, examples: [example] }));

const modifierFields = {
  group_external_id: Id('milk', 'external_id of a modifier group of the item'),
  external_id: Id('oat-milk', 'external_id of a modifier item of the group'),
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_UNITS,
      description: 'Per item sold. Default: 1',
      examples: [1],
    }),
  ),
  price_change: Stated('Checked where it is stated', 40),
  tax_change: Stated('Checked where it is stated', 4),
};

export interface QuoteModifierRequest extends Static<TObject<typeof modifierFields>> {
  readonly modifiers?: readonly QuoteModifierRequest[];
}

const NESTED = {
  description: `For each unit of a modifier item that stands for an item, in the groups of that item; at most ${DEEPEST_MODIFIERS} levels`,
};

/** One name for all levels: in the OpenAPI document the shape refers to itself. */
function modifierRequest(depth: number): TUnsafe<QuoteModifierRequest> {
  const modifiers =
    depth < DEEPEST_MODIFIERS
      ? Type.Optional(Type.Array(modifierRequest(depth + 1), NESTED))
      : withRule(Type.Optional(Type.Unsafe<QuoteModifierRequest[]>({ type: 'array' })), refuseDeeper);
  return Type.Unsafe<QuoteModifierRequest>(
    NamedShape('QuoteModifierRequest', { ...modifierFields, modifiers }),
  );
}

function refuseDeeper(modifiers: readonly unknown[], visit: Visit): void {
  if (modifiers.length === 0) return;
  const msg = `Modifiers can be nested to a depth of ${DEEPEST_MODIFIERS}`;
  reportError(visit, 'too_deep', msg, undefined, { max_depth: DEEPEST_MODIFIERS });
}

export const QuoteLineRequest = NamedShape('QuoteLineRequest', {
  external_id: Id('flat-white', 'external_id of an item of the menu'),
  quantity: Quantity(),
  price: Stated('Of one, without modifiers; checked where it is stated', 320),
  tax: Stated('Of one, without modifiers; checked where it is stated', 32),
  modifiers: Type.Optional(Type.Array(modifierRequest(1))),
});
export type QuoteLineRequest = Static<typeof QuoteLineRequest>;

const envelope = {
  price: Stated('Of the whole order; checked where it is stated', 840),
  tax: Stated('Of the whole order; checked where it is stated', 84),
  ready_by: Type.Optional(Datetime({ description: 'When it is to be ready; promised if left out' })),
  at: Type.Optional(Datetime({ description: 'Date-time to price for. Default: now' })),
  ...amountFields,
};

export const QuoteRequest = NamedShape('QuoteRequest', {
  items: Type.Array(QuoteLineRequest, { maxItems: MOST_LINES }),
  ...envelope,
});

/** A quote request with its lines unchecked: they are checked one by one, each with what the menu says of it. */
export const QuoteEnvelope = Type.Object({
  items: Type.Array(Type.Object({}), { maxItems: MOST_LINES }),
  ...envelope,
});

const quotedModifierFields = {
  group_external_id: Type.String({ examples: ['milk'] }),
  external_id: Type.String({ examples: ['oat-milk'] }),
  name: MultilingualText,
  quantity: Quantity(),
  free_quantity: Type.Integer({ description: 'How many of them are free', examples: [0] }),
  price_change: Type.Integer({ examples: [40] }),
  tax_change: Type.Integer({ examples: [4] }),
};
const QUOTED_MODIFIER = { $id: 'QuoteModifier' };

/** The inner shape has the name of the outer one, so in the OpenAPI document the shape refers to itself. */
const QuoteModifier = Type.Object(
  {
    ...quotedModifierFields,
    modifiers: Type.Optional(Type.Array(Type.Object(quotedModifierFields, QUOTED_MODIFIER), NESTED)),
  },
  QUOTED_MODIFIER,
);

const QuoteLine = NamedShape('QuoteLine', {
  external_id: Type.String({ examples: ['flat-white'] }),
  name: MultilingualText,
  quantity: Quantity(),
  price: Amount({ description: 'Of one, without modifiers', examples: [320] }),
  tax: Amount({ description: 'Of one, without modifiers', examples: [32] }),
  modifiers: Type.Array(QuoteModifier),
  total_price: Amount({
    description: 'Total of the line: (item + charged modifiers) x quantity',
    examples: [840],
  }),
  total_tax: Amount({ examples: [84] }),
  photo: Type.Optional(Photo),
});

export const Quote = NamedShape('Quote', {
  menu_version: Type.Integer({ examples: [3] }),
  stock_revision: Type.Integer(),
  at: Datetime({ description: 'The date-time it is priced for' }),
  currency: Type.Optional(Type.String({ examples: ['EUR'] })),
  items: Type.Array(QuoteLine),
  price: Amount({ examples: [840] }),
  tax: Amount({ examples: [84] }),
  ready_by: Type.Optional(Datetime({ description: 'When it will be ready' })),
  prep_minutes: Type.Integer({ description: 'Of all its lines together', examples: [10] }),
  ...amountFields,
});
