import Type, { type Static } from 'typebox';
import type { Page } from '../db/merchants.js';

/** How many of a list come in one answer. */
export const Limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'How many to return',
    examples: [100],
  }),
);

export const SkipLimit = Type.Object({
  skip: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'How many to leave out from the start',
      examples: [0],
    }),
  ),
  limit: Limit,
});

export function toPage({ skip = 0, limit = 100 }: Static<typeof SkipLimit>): Page {
  return { skip, limit };
}
