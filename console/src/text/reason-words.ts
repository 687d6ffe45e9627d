import type { OrderPatch } from '#sdk';
import { t } from './t.js';

export type Reason = NonNullable<OrderPatch['reason']>;

/** Why a store rejects or cancels an order. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  out_of_item: t('something_is_sold_out'),
  too_busy: t('too_busy'),
  closing: t('closing_the_shop'),
  problem_in_kitchen: t('problem_in_the_kitchen'),
  not_accepted: t('not_accepted_in_time'),
  other: t('another_reason'),
};

/** Those that a person chooses from: the service itself gives the other one. */
export const CHOSEN_REASONS: readonly Reason[] = [
  'out_of_item',
  'too_busy',
  'closing',
  'problem_in_kitchen',
  'other',
];
