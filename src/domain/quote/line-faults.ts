import { shortInput, type Fault, type FaultList, type Loc, shownExternalId } from '../faults.js';
import { didYouMean, type Effort } from '../near-miss.js';

/** The faults of one quote, and what finding them may cost. */
export interface QuoteFaults {
  readonly faults: FaultList;
  /** How many of the faults are stated amounts that the menu does not have. */
  readonly stated: { wrong: number };
  /** What is left to spend on near misses. */
  readonly effort: Effort;
}

export function addFault(
  faults: FaultList,
  loc: Loc,
  type: string,
  describe: () => Omit<Fault, 'loc' | 'type'>,
): void {
  faults.addDescribed(() => ({ loc, type, ...describe() }));
}

/** `what` has no such external_id, but perhaps one that is close to it. */
export function addUnknown(
  faults: FaultList,
  loc: Loc,
  type: string,
  asked: { readonly externalId: string; readonly what: string; readonly known: () => Iterable<string> },
  effort: Effort,
): void {
  const { externalId, what, known } = asked;
  addFault(faults, loc, type, () => {
    const hint = didYouMean(externalId, known(), effort);
    return {
      msg: `${what} has the external_id '${shownExternalId(externalId)}'${hint}`,
      input: shortInput(externalId),
    };
  });
}

const KINDS = { price: 'price', tax: 'tax', price_change: 'price', tax_change: 'tax' } as const;

/** A stated amount that is not the one of the menu. */
export function checkStated(
  { faults, stated: amounts }: Pick<QuoteFaults, 'faults' | 'stated'>,
  loc: Loc,
  member: keyof typeof KINDS,
  stated: number | undefined,
  expected: number,
): void {
  if (stated === undefined || stated === expected) return;
  amounts.wrong += 1;
  const kind = KINDS[member];
  addFault(faults, [...loc, member], `${kind}_mismatch`, () => ({
    msg: `The ${kind} is ${expected}, not ${stated}`,
    input: stated,
    ctx: { expected },
  }));
}
