import { reachesLeast } from '../orderable.js';
import { weekHours } from '../hours.js';
import type { MenuConfiguration } from '../shapes.js';
import { warnOfDuplicateNames, warnOfMissingLanguages } from './names.js';
import { warnOfPrices } from './prices.js';
import { warnOfUnknownKeys } from './unknown-keys.js';
import { WarningList, type Suspect, type Warnings } from './warning-list.js';

export function findWarnings(suspect: Suspect): Warnings {
  const warnings = new WarningList();
  const { configuration } = suspect;
  warnOfUnknownKeys(suspect.body, warnings);
  warnOfPlacement(configuration, warnings);
  warnOfHours(configuration, warnings);
  warnOfGroups(suspect, warnings);
  warnOfPrices(configuration, warnings);
  warnOfMissingLanguages(configuration, warnings);
  warnOfDuplicateNames(configuration, warnings);
  return warnings.toWarnings();
}

/** Items that could be sold but that no guest gets to see. */
function warnOfPlacement(configuration: MenuConfiguration, warnings: WarningList): void {
  const { items, categories = [], menus = [] } = configuration;
  const onMenus = new Set(menus.flatMap((menu) => menu.category_external_ids ?? []));
  const inCategories = new Set<string>();
  const shown = new Set<string>();
  for (const { external_id, item_external_ids = [] } of categories) {
    for (const item of item_external_ids) inCategories.add(item);
    if (onMenus.has(external_id)) for (const item of item_external_ids) shown.add(item);
  }
  items.forEach(({ external_id, sell_separately }, at) => {
    if (!sell_separately || shown.has(external_id)) return;
    const [type, reason] = inCategories.has(external_id)
      ? (['item_on_no_menu', 'in no category that is on a menu'] as const)
      : (['item_in_no_category', 'in no category'] as const);
    warnings.add(type, ['items', at], () => ({
      msg: `The item '${external_id}' is ${reason}`,
      ctx: { external_id },
    }));
  });
}

function warnOfHours({ menus = [] }: MenuConfiguration, warnings: WarningList): void {
  menus.forEach(({ external_id, availability }, at) => {
    if (weekHours(availability).length > 0) return;
    warnings.add('menu_never_open', ['menus', at, 'availability'], () => ({
      msg: `The menu '${external_id}' is never open: no day has a time period`,
      ctx: { external_id },
    }));
  });
}

/** Groups that ask for more units than a guest can select. */
function warnOfGroups({ configuration, soldOut }: Suspect, warnings: WarningList): void {
  const { modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const most = new Map(modifiers.map(({ external_id, max_quantity }) => [external_id, max_quantity]));
  const mostNow = new Map(
    modifiers.map(({ external_id, max_quantity, in_stock = !soldOut.has(external_id) }) => [
      external_id,
      in_stock ? max_quantity : 0,
    ]),
  );
  groups.forEach((group, at) => {
    if (reachesLeast(group, mostNow)) return;
    const { external_id, group_min } = group;
    const reason = reachesLeast(group, most)
      ? 'too many of its modifier items are sold out'
      : 'the max_quantity of its modifier items do not come to that many';
    warnings.add('group_unsatisfiable', ['modifier_groups', at, 'group_min'], () => ({
      msg: `The modifier group '${external_id}' needs ${group_min} selected, but ${reason}`,
      ctx: { external_id },
    }));
  });
}
