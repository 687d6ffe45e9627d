import { weekHours } from '../hours.js';
import type { MenuConfiguration } from '../shapes.js';
import type { WarningList } from './warning-list.js';

export function warnOfHours({ menus = [] }: MenuConfiguration, warnings: WarningList): void {
  menus.forEach(({ external_id, availability }, at) => {
    if (weekHours(availability).length > 0) return;
    warnings.add('menu_never_open', ['menus', at, 'availability'], () => ({
      msg: `The menu '${external_id}' is never open: no day has a time period`,
      ctx: { external_id },
    }));
  });
}
