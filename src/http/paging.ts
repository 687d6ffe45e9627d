import Type from 'typebox';
import { Defaulted } from '../domain/shapes.js';

/** How many of a list come in one answer. */
export const Limit = Defaulted(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'How many to return, at most 1,000',
    examples: [100],
  }),
);

export const SkipLimit = Type.Object({
  skip: Defaulted(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'How many to leave out from the start of the list',
      examples: [0],
    }),
  ),
  limit: Limit,
});
