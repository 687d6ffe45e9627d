import { shownExternalId } from './error-details.js';

/** Work that may still be spent on finding similar names, shared by all suggestions of one response. */
export interface Effort {
  left: number;
}

export const FULL_EFFORT = 20_000_000;

/** The end of a "not found" message: `; did you mean '...'?`, or nothing. */
export function didYouMean(wanted: string, candidates: Iterable<string>, effort?: Effort): string {
  const nearest = nearestTo(wanted, candidates, effort);
  return nearest === undefined ? '' : `; did you mean '${shownExternalId(nearest)}'?`;
}

/** The most similar candidate, if one is close: a typo or two, or another case or spacing. */
export function nearestTo(
  wanted: string,
  candidates: Iterable<string>,
  effort: Effort = { left: FULL_EFFORT },
): string | undefined {
  const folded = fold(wanted);
  let allowed = slipsAllowed(folded.length);
  let nearest: string | undefined;
  for (const candidate of candidates) {
    if (effort.left <= 0) break;
    effort.left -= 10;
    if (Math.abs(candidate.length - wanted.length) > allowed + 2) continue;
    const other = fold(candidate);
    if (other === folded) return candidate;
    effort.left -= other.length * (2 * allowed + 1);
    const slips = distance(folded, other, allowed);
    if (slips > allowed) continue;
    nearest = candidate;
    allowed = slips - 1;
    if (allowed === 0) return nearest;
  }
  return nearest;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

function slipsAllowed(length: number): number {
  if (length < 2) return 0;
  if (length < 5) return 1;
  return length < 9 ? 2 : 3;
}

/**
 * Edit distance with swaps of neighbours, or `allowed + 1` when it is larger.
 * Only cells within `allowed` of the diagonal are filled, with a wall of `tooMany` on either side.
 */
function distance(a: string, b: string, allowed: number): number {
  const tooMany = allowed + 1;
  if (Math.abs(a.length - b.length) > allowed) return tooMany;
  let beforeLast: number[] = [];
  let last = Array.from({ length: allowed + 2 }, (_, column) => column);
  let current: number[] = [];
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - allowed);
    const to = Math.min(b.length, row + allowed);
    current[from - 1] = from === 1 ? row : tooMany;
    current[to + 1] = tooMany;
    let least = current[from - 1] ?? tooMany;
    for (let column = from; column <= to; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const isSwap =
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      const cost = Math.min(
        (last[column - 1] ?? tooMany) + (isSame ? 0 : 1),
        (last[column] ?? tooMany) + 1,
        (current[column - 1] ?? tooMany) + 1,
        isSwap ? (beforeLast[column - 2] ?? tooMany) + 1 : tooMany,
      );
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > allowed) return tooMany;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] ?? tooMany;
}
