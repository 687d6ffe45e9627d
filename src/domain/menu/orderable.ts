import { isOpen, type LocalTime } from './hours.js';
import { reachesLeast } from './modifier-groups.js';
import type { Item, MenuConfiguration } from './shapes.js';

export const REASONS = [
  'outside_hours',
  'out_of_stock',
  'not_sold_separately',
  'modifiers_unavailable',
] as const;
type Reason = (typeof REASONS)[number];

interface LeftOut {
  readonly kind: 'menu' | 'item';
  readonly external_id: string;
  readonly reason: Reason;
}

/** What a guest can order: positions in the lists of the configuration, and why the rest is not among them. */
export interface Orderable {
  readonly menus: ReadonlySet<number>;
  readonly items: ReadonlySet<number>;
  readonly modifierItems: ReadonlySet<number>;
  readonly leftOut: readonly LeftOut[];
}

export interface StockView {
  isItemInStock(at: number): boolean;
  isModifierInStock(at: number): boolean;
}

export function findOrderable(configuration: MenuConfiguration, stock: StockView, now: LocalTime): Orderable {
  const { menus = [], modifier_items: modifiers = [] } = configuration;
  const open = new Set(positionsWhere(menus, (menu) => isOpen(menu.availability, now)));
  const modifierItems = new Set(positionsWhere(modifiers, (_, at) => stock.isModifierInStock(at)));
  const isMet = requiredGroups(configuration, modifierItems);
  const closedOnly = closedOnlyItems(configuration, open);

  const leftOut: LeftOut[] = menus
    .filter((_, at) => !open.has(at))
    .map(({ external_id }) => ({ kind: 'menu', external_id, reason: 'outside_hours' }));
  const items = new Set<number>();
  configuration.items.forEach((item, at) => {
    const reason = closedOnly.has(item.external_id)
      ? 'outside_hours'
      : reasonAgainst(item, stock.isItemInStock(at), isMet);
    if (reason !== undefined) leftOut.push({ kind: 'item', external_id: item.external_id, reason });
    else items.add(at);
  });
  return { menus: open, items, modifierItems, leftOut };
}

function reasonAgainst(item: Item, inStock: boolean, isMet: (group: string) => boolean): Reason | undefined {
  if (!inStock) return 'out_of_stock';
  if (!item.sell_separately) return 'not_sold_separately';
  return (item.modifier_external_ids ?? []).every(isMet) ? undefined : 'modifiers_unavailable';
}

/** A group is met when its modifier items that are in stock reach its least number of units. */
function requiredGroups(
  { modifier_groups: groups = [], modifier_items: modifiers = [] }: MenuConfiguration,
  inStock: ReadonlySet<number>,
): (group: string) => boolean {
  const mostOf = new Map(
    modifiers.map(({ external_id, max_quantity }, at) => [external_id, inStock.has(at) ? max_quantity : 0]),
  );
  const unmet = new Set(
    groups.filter((group) => !reachesLeast(group, mostOf)).map((group) => group.external_id),
  );
  return (group) => !unmet.has(group);
}

/** Items that stand on menus, but on none that is open. */
function closedOnlyItems(
  { menus = [], categories = [] }: MenuConfiguration,
  open: ReadonlySet<number>,
): ReadonlySet<string> {
  const onOpen = itemsOn(
    menus.filter((_, at) => open.has(at)),
    categories,
  );
  const onClosed = itemsOn(
    menus.filter((_, at) => !open.has(at)),
    categories,
  );
  return new Set([...onClosed].filter((item) => !onOpen.has(item)));
}

function itemsOn(
  menus: NonNullable<MenuConfiguration['menus']>,
  categories: NonNullable<MenuConfiguration['categories']>,
): ReadonlySet<string> {
  const shown = new Set(menus.flatMap((menu) => menu.category_external_ids ?? []));
  const items = new Set<string>();
  for (const category of categories) {
    if (!shown.has(category.external_id)) continue;
    for (const item of category.item_external_ids ?? []) items.add(item);
  }
  return items;
}

function positionsWhere<T>(list: readonly T[], holds: (element: T, at: number) => boolean): number[] {
  return list.flatMap((element, at) => (holds(element, at) ? [at] : []));
}
