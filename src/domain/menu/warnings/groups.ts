import { reachesLeast } from '../orderable.js';
import type { Suspect, WarningList } from './warning-list.js';

/** Groups that ask for more units than a guest can select. */
export function warnOfGroups({ configuration, soldOut }: Suspect, warnings: WarningList): void {
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
