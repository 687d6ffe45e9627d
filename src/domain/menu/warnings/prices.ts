import type { MenuConfiguration, Modifier, ModifierGroup } from '../shapes.js';
import type { WarningList } from './warning-list.js';

type Change = 'price_change' | 'tax_change';

/** Items that cost nothing, and items from which modifiers can take off more than they cost. */
export function warnOfPrices(configuration: MenuConfiguration, warnings: WarningList): void {
  const { items, modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const known = new Map(modifiers.map((modifier) => [modifier.external_id, modifier]));
  const lowest = new Map(
    groups.map((group) => {
      const offered = offeredIn(group, known);
      const [price, tax] = [lowestIn(group, offered, 'price_change'), lowestIn(group, offered, 'tax_change')];
      return [group.external_id, { price, tax }];
    }),
  );
  items.forEach(({ external_id, price, tax, sell_separately, modifier_external_ids = [] }, at) => {
    if (!sell_separately) return;
    if (price === 0)
      warnings.add('price_zero', ['items', at, 'price'], () => ({
        msg: `The item '${external_id}' costs nothing`,
        ctx: { external_id },
      }));
    const least = { price, tax };
    for (const group of new Set(modifier_external_ids)) {
      least.price += lowest.get(group)?.price ?? 0;
      least.tax += lowest.get(group)?.tax ?? 0;
    }
    if (least.price >= 0 && least.tax >= 0) return;
    const [what, sum] = least.price < 0 ? ['price', least.price] : ['tax', least.tax];
    warnings.add('negative_line', ['items', at], () => ({
      msg: `The ${what} of '${external_id}' can come to ${sum}: its modifiers can take off more than it has`,
      ctx: { external_id, [`least_${what}`]: sum },
    }));
  });
}

function offeredIn(group: ModifierGroup, known: ReadonlyMap<string, Modifier>): Modifier[] {
  const most = mostIn(group);
  return [...new Set(group.modifier_item_external_ids)].flatMap((externalId) => {
    const modifier = known.get(externalId);
    return modifier === undefined || modifier.min_quantity > most ? [] : [modifier];
  });
}

/**
 * The least that the units selected in a group can add: as many as allowed of those that take something off, and where
 * these are too few, the cheapest of the others, of which the first so many are free.
 */
function lowestIn(group: ModifierGroup, offered: readonly Modifier[], change: Change): number {
  let room = mostIn(group);
  let missing = group.group_min;
  let free = group.charge_after;
  let sum = 0;
  const ascending = [...offered].sort((one, other) => one[change] - other[change]);
  for (const modifier of ascending) {
    if (modifier[change] >= 0) break;
    const units = Math.min(modifier.max_quantity, room);
    room -= units;
    missing -= units;
    sum += units * modifier[change];
  }
  free = Math.min(free, Math.max(0, missing));
  missing -= free;
  for (const modifier of ascending) {
    if (missing <= 0) break;
    if (modifier[change] < 0) continue;
    const units = Math.min(modifier.max_quantity, missing);
    missing -= units;
    sum += units * modifier[change];
  }
  return sum;
}

function mostIn({ group_max }: ModifierGroup): number {
  return group_max === 0 ? Infinity : group_max;
}
