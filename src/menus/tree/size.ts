import { ValidationFailed, type Loc } from '../../support/error-details.js';
import { measure, rootOf, valueAt } from './fragments.js';
import type { StockText } from './stock-texts.js';
import type { TreeDraft } from './tree.js';

export type TreeSize = { readonly minTreeBytes: number; readonly treeEntities: number };

/** No id is shorter than one digit and nothing is marked, so this is the least that the tree can come to. */
export function leastTreeSize({ fragments, numbers }: TreeDraft, textOf: StockText): TreeSize {
  const { bytes, count } = measure(fragments, (fragment) => {
    const number = valueAt(numbers, fragment) - 1;
    return number < 0 ? 0 : '{"id":0'.length + textOf(number).length;
  });
  return { minTreeBytes: valueAt(bytes, rootOf(fragments)), treeEntities: count - 1 };
}

interface TreeLimit {
  readonly mostBytes: number;
  /** Bytes of the store's longest prep_type, as JSON writes it. */
  readonly longestPrepType: number;
  readonly loc?: Loc;
}

/** Ids have at most 16 digits where the least size counts one, and `false` is longer than `true`. */
const MOST_EXTRA_BYTES = 16;

/**
 * Shared entities are nested wherever they are referenced, so a small configuration can expand without bound. What the
 * tree takes at most, whatever ids and marks its entities get, is known before it is written, and is what is refused.
 */
export function refuseLargeTree(
  { minTreeBytes, treeEntities }: TreeSize,
  { mostBytes, longestPrepType, loc = ['body'] }: TreeLimit,
): void {
  const prepType = longestPrepType === 0 ? 0 : longestPrepType + ',"prep_type":'.length;
  const bytes = minTreeBytes + treeEntities * (MOST_EXTRA_BYTES + prepType);
  if (bytes <= mostBytes) return;
  const msg = `The tree could take ${bytes} bytes; the limit is ${mostBytes}`;
  throw new ValidationFailed([{ loc, msg, type: 'tree_too_large', ctx: { limit: mostBytes } }]);
}
