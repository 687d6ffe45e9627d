import { weekHours } from '../calendar/hours.js';
import { DEEPEST_MODIFIERS, reachesLeast } from './modifier-groups.js';
import { openAt, type ZonedMoment } from '../calendar/open-hours.js';
import type { Item, MenuConfiguration } from './shapes.js';
import { menusOfItems } from './price-list.js';
import type { StockView } from './stock/combos.js';

export const REASONS = [
  'outside_hours',
  'out_of_stock',
  'not_sold_separately',
  'modifiers_unavailable',
] as const;
export type Reason = (typeof REASONS)[number];

interface LeftOut {
  readonly kind: 'menu' | 'item';
  readonly external_id: string;
  readonly reason: Reason;
  /** The sold-out item that a required modifier item stands for. */
  readonly ctx?: { readonly menu_item_external_id: string };
}

/** What a guest can order: positions in the lists of the configuration, and why the rest is not among them. */
export interface Orderable {
  readonly menus: ReadonlySet<number>;
  readonly items: ReadonlySet<number>;
  readonly modifierItems: ReadonlySet<number>;
  readonly leftOut: readonly LeftOut[];
}

export function findOrderable(
  configuration: MenuConfiguration,
  stock: StockView,
  moment: ZonedMoment,
): Orderable {
  const { menus = [] } = configuration;
  const isOpen = openAt(moment);
  const open = new Set(positionsWhere(menus, ({ availability }) => isOpen(weekHours(availability))));
  const { modifierItems, unmet } = findSelectable(configuration, stock);
  const closedOnly = closedOnlyItems(configuration, open);

  const leftOut: LeftOut[] = menus
    .filter((_, index) => !open.has(index))
    .map(({ external_id }) => ({ kind: 'menu', external_id, reason: 'outside_hours' }));
  const items = new Set<number>();
  configuration.items.forEach((item, index) => {
    const reason = closedOnly.has(item.external_id)
      ? 'outside_hours'
      : reasonAgainst(item, stock.isItemInStock(index), unmet);
    if (reason === undefined) items.add(index);
    else {
      const soldOut = reason === 'modifiers_unavailable' ? soldOutBehind(item, unmet) : undefined;
      const ctx = soldOut === undefined ? {} : { ctx: { menu_item_external_id: soldOut } };
      leftOut.push({ kind: 'item', external_id: item.external_id, reason, ...ctx });
    }
  });
  return { menus: open, items, modifierItems, leftOut };
}

/** Groups that cannot be filled, each with a sold-out item that keeps it from being so, if there is one. */
type UnmetGroups = ReadonlyMap<string, string | undefined>;

function reasonAgainst(item: Item, inStock: boolean, unmet: UnmetGroups): Reason | undefined {
  if (!inStock) return 'out_of_stock';
  if (!item.sell_separately) return 'not_sold_separately';
  return needsAnyOf(item, unmet) ? 'modifiers_unavailable' : undefined;
}

function needsAnyOf({ modifier_external_ids: groups = [] }: Item, unmet: UnmetGroups): boolean {
  return groups.some((group) => unmet.has(group));
}

function soldOutBehind({ modifier_external_ids: groups = [] }: Item, unmet: UnmetGroups): string | undefined {
  return groups.flatMap((group) => unmet.get(group) ?? [])[0];
}

/**
 * The modifier items that a guest can select, and the groups that these cannot fill. A modifier item that stands for an
 * item with required groups needs choices of its own, so each round may take away more; below the deepest level nothing
 * can be selected, and nothing is required.
 */
function findSelectable(
  configuration: MenuConfiguration,
  stock: StockView,
): { readonly modifierItems: ReadonlySet<number>; readonly unmet: UnmetGroups } {
  const { items, modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const soldOutOf = new Map(
    modifiers.map(({ external_id }, index) => [external_id, stock.findSoldOutItem(index)] as const),
  );
  let modifierItems = new Set(positionsWhere(modifiers, (_, index) => stock.isModifierInStock(index)));
  let unmet: UnmetGroups = new Map();
  for (let depth = 1; depth <= DEEPEST_MODIFIERS; depth += 1) {
    const mostOf = new Map(
      modifiers.map(({ external_id, max_quantity }, index) => [
        external_id,
        modifierItems.has(index) ? max_quantity : 0,
      ]),
    );
    const before = unmet;
    unmet = new Map(
      groups
        .filter((group) => !reachesLeast(group, mostOf))
        .map(({ external_id, modifier_item_external_ids: offered = [] }) => [
          external_id,
          offered.flatMap((modifier) => soldOutOf.get(modifier) ?? [])[0],
        ]),
    );
    if (unmet.size === before.size) break;
    const incomplete = new Set(items.flatMap((item) => (needsAnyOf(item, unmet) ? [item.external_id] : [])));
    modifierItems = new Set(
      [...modifierItems].filter((index) => !incomplete.has(modifiers[index]?.menu_item_external_id ?? '')),
    );
  }
  return { modifierItems, unmet };
}

/** Items that stand on menus, but on none that is open. */
function closedOnlyItems(configuration: MenuConfiguration, open: ReadonlySet<number>): ReadonlySet<string> {
  const openBits = [...open].reduce((bits, menu) => bits | (1n << BigInt(menu)), 0n);
  const closed = [...menusOfItems(configuration)].filter(([, bits]) => (bits & openBits) === 0n);
  return new Set(closed.map(([item]) => item));
}

function positionsWhere<T>(list: readonly T[], holds: (element: T, index: number) => boolean): number[] {
  return list.flatMap((element, index) => (holds(element, index) ? [index] : []));
}
