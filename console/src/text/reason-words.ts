import type { OrderPatch } from '#sdk';
import { t } from './t.js';

export type Reason = NonNullable<OrderPatch['reason']>;

/** Why a store rejects or cancels an order. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  out_of_item: t('Something is sold out'),
  too_busy: t('Too busy'),
  closing: t('Closing#the shop'),
  problem_in_kitchen: t('Problem in the kitchen'),
  not_accepted: t('Not accepted in time'),
  other: t('Another reason'),
};

/** Those that a person chooses from: the service itself gives the other one. */
export const CHOSEN_REASONS: readonly Reason[] = [
  'out_of_item',
  'too_busy',
  'closing',
  'problem_in_kitchen',
  'other',
];
