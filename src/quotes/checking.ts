import type { ErrorType } from '../support/error-types.js';
import {
  shortInput,
  type ErrorDetail,
  type ErrorList,
  type Loc,
  shownExternalId,
} from '../support/error-details.js';
import { weekHours } from '../calendar/hours.js';
import { nextOpening, openAt, type ZonedMoment } from '../calendar/open-hours.js';
import { didYouMean, type Effort } from '../support/did-you-mean.js';
import type { PriceList } from '../menus/price-list.js';

/** The context for checking the lines of one order. */
export interface Checking {
  readonly list: PriceList;
  readonly openings: Openings;
  readonly errors: ErrorList;
  /** How many of the errors are stated amounts that differ from the menu. */
  readonly stated: { wrong: number };
  /** Remaining work for "did you mean" suggestions. */
  readonly effort: Effort;
  /** How many of each counted item the lines so far ask for, by id. */
  readonly asked: Map<number, number>;
}

/** Checks that `units` more of the item are left, over all lines of the order. If not, adds an error at `loc`. */
export function checkLeft(
  { list, asked, errors }: Checking,
  externalId: string,
  units: number,
  { loc, ctx }: { readonly loc: Loc; readonly ctx?: object },
): boolean {
  const item = list.items.get(externalId);
  const left = item && list.counts.get(item.id);
  if (item === undefined || left === undefined) return true;
  const wanted = (asked.get(item.id) ?? 0) + units;
  asked.set(item.id, wanted);
  if (wanted <= left) return true;
  addError(errors, loc, 'sold_out', () => ({
    msg: `Of the item '${shownExternalId(externalId)}' only ${left} are left, not ${wanted}`,
    ctx: { ...ctx, left },
  }));
  return false;
}

export function addError(
  errors: ErrorList,
  loc: Loc,
  type: ErrorType,
  describe: () => Omit<ErrorDetail, 'loc' | 'type'>,
): void {
  errors.addDescribed(() => ({ loc, type, ...describe() }));
}

/** `what` has no such external_id, but perhaps one that is close to it. */
export function addUnknown(
  errors: ErrorList,
  loc: Loc,
  type: ErrorType,
  asked: { readonly externalId: string; readonly what: string; readonly known: () => Iterable<string> },
  effort: Effort,
): void {
  const { externalId, what, known } = asked;
  addError(errors, loc, type, () => {
    const hint = didYouMean(externalId, known(), effort);
    return {
      msg: `${what} has the external_id '${shownExternalId(externalId)}'${hint}`,
      input: shortInput(externalId),
    };
  });
}

const KINDS = { price: 'price', tax: 'tax', price_change: 'price', tax_change: 'tax' } as const;

/** Reports a stated amount that differs from the menu. */
export function checkStated(
  { errors, stated: amounts }: Pick<Checking, 'errors' | 'stated'>,
  loc: Loc,
  member: keyof typeof KINDS,
  stated: number | undefined,
  expected: number,
  parts: object = {},
): void {
  if (stated === undefined || stated === expected) return;
  amounts.wrong += 1;
  const kind = KINDS[member];
  addError(errors, [...loc, member], `${kind}_mismatch`, () => ({
    msg: `The ${kind} is ${expected}, not ${stated}`,
    input: stated,
    ctx: { ...parts, expected },
  }));
}

export interface Openings {
  /** Whether one of the menus is open; without menus everything is open. */
  isOpen(menus: readonly number[]): boolean;
  /** When one of them opens next. */
  next(menus: readonly number[]): number | undefined;
}

export const ALWAYS_OPEN: Openings = { isOpen: () => true, next: () => undefined };

/** Evaluates each menu at most once. */
export function openingsAt(list: PriceList, moment: ZonedMoment): Openings {
  const isOpen = openAt(moment);
  const open = new Map<number, boolean>();
  const found = new Map<readonly number[], number | undefined>();
  const hoursOf = (menu: number) => list.hours[menu] ?? weekHours([]);

  const isMenuOpen = (menu: number) => {
    const known = open.get(menu) ?? isOpen(hoursOf(menu));
    open.set(menu, known);
    return known;
  };
  return {
    isOpen: (menus) => menus.length === 0 || menus.some(isMenuOpen),
    next(menus) {
      if (!found.has(menus)) found.set(menus, nextOpening(menus.map(hoursOf), moment));
      return found.get(menus);
    },
  };
}
