import type { ManagedOrder, ManagedStore } from '#sdk';
import {
  arrivalOf,
  attentionMoments,
  CLOCK_REASONS,
  type AttentionReason,
} from '../../../../src/orders/attention/attention-clock.js';
import { t } from '../../text/t.js';

export type { AttentionReason };

export const ATTENTION_WORDS: Readonly<Record<AttentionReason, string>> = {
  not_accepted: t('not_accepted_in_time'),
  not_in_pos: t('not_in_the_pos'),
  late: t('late'),
  not_printed: t('not_printed_in_time'),
};

/** Why an order needs someone now; it no longer does once it has moved on. */
export function reasonsFor(
  order: ManagedOrder,
  settings: ManagedStore | undefined,
  at: number,
): AttentionReason[] {
  const { id, status, in_pos: inPos, ready_by: readyBy } = order;
  const moments = attentionMoments(
    { arrivedMs: arrivalOf(id), status, inPos, readyBy },
    { accept: settings?.accept, inPosWithinMinutes: settings?.in_pos_within_minutes },
  );
  return CLOCK_REASONS.filter((reason) => (moments[reason] ?? Infinity) < at);
}
