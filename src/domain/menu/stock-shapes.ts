import Type, { type Static } from 'typebox';

/** Sold-out marks on the wire. */

export const ItemMark = Type.Object(
  {
    in_stock: Type.Optional(Type.Boolean()),
    prep_type: Type.Optional(Type.String({ maxLength: 10_000, description: 'An empty text takes it away' })),
  },
  { $id: 'ItemMark' },
);

export const ModifierItemMark = Type.Object(
  { in_stock: Type.Optional(Type.Boolean()) },
  { $id: 'ModifierItemMark' },
);

export const StockMark = Type.Object(
  {
    id: Type.Integer(),
    external_id: Type.String(),
    in_stock: Type.Boolean(),
    prep_type: Type.Optional(Type.String()),
  },
  { $id: 'StockMark' },
);
export type StockMark = Static<typeof StockMark>;
