import { weekHours } from '../../calendar/hours.js';
import { reachesLeast } from '../modifier-groups.js';
import { entitiesOf, type StockedKind } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';
import { viewStock } from '../stock/combos.js';
import { WARNING_TYPES, type Warn, type Warning, type Warnings, type WarningType } from './prepared-menu.js';
import { warnOfPriceJumps, warnOfPriceOutliers, warnOfPrices } from './price-warnings.js';
import { warnOfDuplicateNames, warnOfMissingLanguages, warnOfUnknownKeys } from './text-warnings.js';

export type SoldOut = Readonly<Record<StockedKind, readonly string[]>>;

/** What warnings are found in: a checked configuration and what is known around it. */
export interface WarningInput {
  readonly configuration: MenuConfiguration;
  /** What it is to replace. */
  readonly current: MenuConfiguration;
  /** external_ids that are marked sold out; what the configuration states outweighs it. */
  readonly soldOut: SoldOut;
  readonly body?: unknown;
}

export function findWarnings(input: WarningInput): Warnings {
  const { warn, toWarnings } = createWarningList();
  const { configuration, current } = input;
  warnOfUnknownKeys(input.body, warn);
  warnOfPlacement(configuration, warn);
  warnOfHours(configuration, warn);
  warnOfGroups(input, warn);
  warnOfPrices(configuration, warn);
  warnOfPriceJumps(current, configuration, warn);
  warnOfPriceOutliers(configuration, warn);
  warnOfMissingLanguages(configuration, warn);
  warnOfDuplicateNames(configuration, warn);
  return toWarnings();
}

/** Shown per type, so that a thousand of one type do not hide the only one of another. */
const SHOWN_OF_A_TYPE = 20;

function createWarningList(): { readonly warn: Warn; readonly toWarnings: () => Warnings } {
  const byType = new Map<WarningType, { readonly shown: Warning[]; count: number }>();
  return {
    warn(type, loc, describe) {
      const known = byType.get(type) ?? { shown: [], count: 0 };
      byType.set(type, known);
      known.count += 1;
      if (known.shown.length < SHOWN_OF_A_TYPE)
        known.shown.push({ loc: ['body', ...loc], type, ...describe() });
    },
    /** In the order of the types; after the last one shown of a type comes one that says how many more there are. */
    toWarnings() {
      const kept = WARNING_TYPES.flatMap((type) => byType.get(type) ?? []);
      return {
        count: kept.reduce((sum, { count }) => sum + count, 0),
        shown: kept.flatMap(({ shown, count }) => [...shown, ...rest(shown, count - shown.length)]),
      };
    },
  };
}

function rest(shown: readonly Warning[], more: number): Warning[] {
  const [first] = shown;
  if (first === undefined || more === 0) return [];
  return [{ loc: ['body'], type: first.type, msg: `${more} more of this type not shown`, ctx: { more } }];
}

/** Items that could be sold but that no guest gets to see. */
function warnOfPlacement(configuration: MenuConfiguration, warn: Warn): void {
  const { items, categories = [], menus = [] } = configuration;
  const onMenus = new Set(menus.flatMap((menu) => menu.category_external_ids ?? []));
  const inCategories = new Set<string>();
  const shown = new Set<string>();
  for (const { external_id, item_external_ids = [] } of categories) {
    for (const item of item_external_ids) inCategories.add(item);
    if (onMenus.has(external_id)) for (const item of item_external_ids) shown.add(item);
  }
  items.forEach(({ external_id, sell_separately }, index) => {
    if (!sell_separately || shown.has(external_id)) return;
    const [type, reason] = inCategories.has(external_id)
      ? (['item_on_no_menu', 'in no category that is on a menu'] as const)
      : (['item_in_no_category', 'in no category'] as const);
    warn(type, ['items', index], () => ({
      msg: `The item '${external_id}' is ${reason}`,
      ctx: { external_id },
    }));
  });
}

function warnOfHours({ menus = [] }: MenuConfiguration, warn: Warn): void {
  menus.forEach(({ external_id, availability }, index) => {
    if (weekHours(availability).some((periods) => periods.length > 0)) return;
    warn('menu_never_open', ['menus', index, 'availability'], () => ({
      msg: `The menu '${external_id}' is never open: no day has a time period`,
      ctx: { external_id },
    }));
  });
}

/** Groups that ask for more units than a guest can select. */
function warnOfGroups({ configuration, soldOut }: WarningInput, warn: Warn): void {
  const { modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const most = new Map(modifiers.map(({ external_id, max_quantity }) => [external_id, max_quantity]));
  const marked = { item: new Set(soldOut.item), modifier_item: new Set(soldOut.modifier_item) };
  const stock = viewStock(configuration, (kind, index) => {
    const entity = entitiesOf(configuration, kind)[index];
    return entity?.in_stock ?? !marked[kind].has(entity?.external_id ?? '');
  });
  const mostNow = new Map(
    modifiers.map(({ external_id, max_quantity }, index) => [
      external_id,
      stock.isModifierInStock(index) ? max_quantity : 0,
    ]),
  );
  groups.forEach((group, index) => {
    if (reachesLeast(group, mostNow)) return;
    const { external_id, group_min } = group;
    const reason = reachesLeast(group, most)
      ? 'too many of its modifier items are sold out'
      : 'the max_quantity values of its modifier items add up to less';
    warn('group_unsatisfiable', ['modifier_groups', index, 'group_min'], () => ({
      msg: `The modifier group '${external_id}' needs ${group_min} selected, but ${reason}`,
      ctx: { external_id },
    }));
  });
}
