import { Type, type Static } from '../support/shape/type.js';
import { NamedShape, OneOf } from '../support/shape/common-shapes.js';

/** What is added to the lines of an order, and taken off. */

const CHARGES = ['delivery', 'service', 'packaging', 'small_order', 'deposit', 'other'] as const;
const MOST_AMOUNTS = 20;

const Amount = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
const Name = (example: string) => Type.String({ minLength: 1, maxLength: 200, examples: [example] });

const Charge = NamedShape('Charge', {
  kind: OneOf(CHARGES),
  name: Name('Delivery'),
  price: Amount(250),
  tax: Amount(25),
});

const Discount = NamedShape(
  'Discount',
  {
    name: Name('Welcome'),
    price: Amount(100),
    tax: Amount(10),
    code: Type.Optional(Type.String({ maxLength: 100 })),
    paid_by: Type.Optional(OneOf(['store', 'source'], { description: 'Who bears it' })),
  },
  { description: 'Amounts that are taken off' },
);

export const amountFields = {
  charges: Type.Optional(Type.Array(Charge, { maxItems: MOST_AMOUNTS })),
  discounts: Type.Optional(Type.Array(Discount, { maxItems: MOST_AMOUNTS })),
  tip: Type.Optional(Amount(100)),
};

export interface StatedAmounts {
  readonly charges?: readonly Static<typeof Charge>[] | null | undefined;
  readonly discounts?: readonly Static<typeof Discount>[] | null | undefined;
}
