import { Type } from '../support/shape/type.js';
import { reportValueError } from '../support/error-details.js';
import { withRule } from '../support/shape/compile-shape.js';

/** A stable share of the stores that a key sees: those whose number leaves `rest` when divided by `of`. */
export interface Part {
  readonly rest: number;
  readonly of: number;
}

const MOST_PARTS = 64;
/** How many stores are followed or added up at once: of all that a key sees, or of a part. */
export const MOST_STORES = { whole: 200, part: 2_000 } as const;

/** `part=i/n` as a query parameter. */
export const PartQuery = Type.Optional(
  withRule(
    Type.String({
      description: `One of n equal parts of the stores, as i/n, with 1 <= i <= n <= ${MOST_PARTS}; a store is always in the same part. A part may have ${MOST_STORES.part.toLocaleString('en')} stores`,
      examples: ['1/4'],
    }),
    (text, visit) => {
      if (parsePart(text) === undefined)
        reportValueError(visit, `part should be i/n with 1 <= i <= n <= ${MOST_PARTS}`, text);
    },
  ),
);

/** What a checked parameter says. */
export function parsePart(text: string | undefined): Part | undefined {
  const [, number, of] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text ?? '')?.map(Number) ?? [];
  if (number === undefined || of === undefined || number > of || of > MOST_PARTS) return undefined;
  return { rest: number - 1, of };
}

export function mostStores(part: Part | undefined): number {
  return part === undefined ? MOST_STORES.whole : MOST_STORES.part;
}
