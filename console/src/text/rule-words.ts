import type { ModifierGroupFlat } from '#sdk';
import { t } from './t.js';

type Rule = Pick<ModifierGroupFlat, 'group_min' | 'group_max' | 'charge_after'>;

/** What a guest may choose of a group, in words. */
export function describeRule({ group_min: least, group_max: most, charge_after: free }: Rule): string {
  const amount =
    most === 0
      ? least === 0
        ? t('optional_as_many_as_you_like')
        : t('at_least_number', { number: least })
      : least === most
        ? t('choose_number', { number: least })
        : least === 0
          ? t('optional_up_to_number', { number: most })
          : t('choose_least_to_most', { least, most });
  return free === 0 ? amount : t('rule_the_first_count_are_free', { rule: amount, count: free });
}
