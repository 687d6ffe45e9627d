import type { MenuConfiguration } from '../shapes.js';
import type { WarningList } from './warning-list.js';

/** Items that could be sold but that no guest gets to see. */
export function warnOfPlacement(configuration: MenuConfiguration, warnings: WarningList): void {
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
