import type { Fault, Loc } from '../../faults.js';
import type { MenuConfiguration } from '../shapes.js';

/** Something that can be published and is probably not meant. Told as a fault is, but it blocks nothing. */
export type Warning = Pick<Fault, 'loc' | 'msg' | 'ctx'> & { readonly type: WarningType };

export const WARNING_TYPES = [
  'unknown_key',
  'item_in_no_category',
  'item_on_no_menu',
  'menu_never_open',
  'group_unsatisfiable',
  'price_zero',
  'negative_line',
  'language_missing',
  'duplicate_name',
] as const;
export type WarningType = (typeof WARNING_TYPES)[number];

/** A checked configuration, with what else warnings look at. */
export interface Suspect {
  readonly configuration: MenuConfiguration;
  /** Modifier items that are marked sold out; what the configuration states outweighs it. */
  readonly soldOut: ReadonlySet<string>;
  /** The configuration as it was sent. */
  readonly body?: unknown;
}

export interface Warnings {
  /** How many there are, shown or not. */
  readonly count: number;
  readonly shown: readonly Warning[];
}

/** So many of each type are shown: a thousand of one must not hide the only one of another. */
const SHOWN_OF_A_TYPE = 20;

export class WarningList {
  readonly #byType = new Map<WarningType, { readonly shown: Warning[]; count: number }>();

  add(type: WarningType, loc: Loc, describe: () => Pick<Warning, 'msg' | 'ctx'>): void {
    const known = this.#byType.get(type) ?? { shown: [], count: 0 };
    this.#byType.set(type, known);
    known.count += 1;
    if (known.shown.length < SHOWN_OF_A_TYPE)
      known.shown.push({ loc: ['body', ...loc], type, ...describe() });
  }

  /** In the order of the types; after the last one shown of a type comes one that says how many more there are. */
  toWarnings(): Warnings {
    const kept = WARNING_TYPES.flatMap((type) => this.#byType.get(type) ?? []);
    return {
      count: kept.reduce((sum, { count }) => sum + count, 0),
      shown: kept.flatMap(({ shown, count }) => [...shown, ...rest(shown, count - shown.length)]),
    };
  }
}

function rest(shown: readonly Warning[], more: number): Warning[] {
  const [first] = shown;
  if (first === undefined || more === 0) return [];
  return [{ loc: ['body'], type: first.type, msg: `${more} more of this kind not shown`, ctx: { more } }];
}
