import type { Group } from './api.js';
import { t, textOf } from './language.js';
import type { ChoiceLook } from './parts/choice-fields.js';
import { Stepper } from './parts/stepper.js';
import { findItem, money } from './place.js';

/** How guests are asked for their choices. */
export const CHOICE_LOOK: ChoiceLook = {
  Stepper,
  findItem,
  textOf,
  words: (word) => t(word),
  hintOf: (group, isMissing) => (
    <>
      <span class={group.group_min > 0 ? 'need' : 'soft'}>{ruleOf(group)}</span>
      {group.charge_after > 0 && <span class="tag good">{t('free', { count: group.charge_after })}</span>}
      {isMissing && <span class="bad">{t('still_to_choose')}</span>}
    </>
  ),
  changeOf: ({ price_change: price, tax_change: tax }) => {
    const change = price + tax;
    return change === 0 ? '' : money(change, 'exceptZero');
  },
};

function ruleOf({ group_min: least, group_max: most }: Group): string {
  if (least === 0) return most === 0 || most === 1 ? t('optional') : t('choose_most', { count: most });
  if (least === most) return t('choose_exactly', { count: least });
  return most === 0 ? t('choose_least', { count: least }) : t('choose_range', { least, most });
}
