import { ValidationFailed, type Loc } from '../faults.js';

/** Shared entities are nested wherever they are referenced, so a small configuration can expand without bound. */
export function refuseTreeOver(most: number, bytes: number, loc: Loc = ['body']): void {
  if (bytes <= most) return;
  const msg = `The tree would take ${bytes} bytes, more than the ${most} that are allowed`;
  throw new ValidationFailed([{ loc, msg, type: 'tree_too_large', ctx: { limit: most } }]);
}

/** Ids have at most 16 digits where the least size counts one, and `false` is longer than `true`. */
const MOST_EXTRA_BYTES = 16;

/** What the tree can take at most, whatever its ids and marks are. */
export function largestTree(leastBytes: number, entities: number, longestPrepType: number): number {
  const prepType = longestPrepType === 0 ? 0 : longestPrepType + ',"prep_type":""'.length;
  return leastBytes + entities * (MOST_EXTRA_BYTES + prepType);
}
