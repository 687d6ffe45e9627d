import type { ManagedOrder, ManagedStore } from '#sdk';
import {
  arrivalOf,
  attentionMoments,
  CLOCK_REASONS,
  type AttentionReason,
} from '../../../../src/orders/attention/attention-clock.js';
import { businessDay } from '../../../../src/calendar/wall-clock.js';
import { t } from '../../text/t.js';

/** `begin`: an order of an earlier day whose preparation must begin. */
export type BoardReason = AttentionReason | 'begin';

export const ATTENTION_WORDS: Readonly<Record<BoardReason, string>> = {
  begin: t('time_to_begin'),
  not_accepted: t('not_accepted_in_time'),
  not_in_pos: t('not_in_the_pos'),
  late: t('late'),
  not_printed: t('not_printed_in_time'),
};

/** Why an order needs someone now; it no longer does once it has moved on. */
export function reasonsFor(
  order: ManagedOrder,
  settings: ManagedStore | undefined,
  prepMinutes: number,
  at: number,
): BoardReason[] {
  const { id, status, in_pos: inPos, ready_by: readyBy } = order;
  const moments = attentionMoments(
    { arrivedMs: arrivalOf(id), status, inPos, readyBy },
    { accept: settings?.accept, inPosWithinMinutes: settings?.in_pos_within_minutes },
  );
  const due = CLOCK_REASONS.filter((reason) => (moments[reason] ?? Infinity) < at);
  return isToBegin(order, settings, prepMinutes, at) ? [...due, 'begin'] : due;
}

const timezoneOf = (settings: ManagedStore | undefined) => settings?.timezone ?? 'UTC';
const beginOf = ({ ready_by: readyBy }: ManagedOrder, prepMinutes: number) =>
  Date.parse(readyBy) - prepMinutes * 60_000;

/** For another day, which begins at 06:00, and nothing is to be done for it yet. */
export function isForLater(
  order: ManagedOrder,
  settings: ManagedStore | undefined,
  prepMinutes: number,
  at: number,
): boolean {
  const timezone = timezoneOf(settings);
  const isOfLaterDay = businessDay(Date.parse(order.ready_by), timezone) > businessDay(at, timezone);
  return isOfLaterDay && order.status !== 'READY' && beginOf(order, prepMinutes) > at;
}

/** Whether it came for another day than its own, and it is time. */
function isToBegin(
  order: ManagedOrder,
  settings: ManagedStore | undefined,
  prepMinutes: number,
  at: number,
): boolean {
  const isWaiting = order.status === 'PENDING' || order.status === 'ACCEPTED';
  if (!isWaiting || beginOf(order, prepMinutes) > at || Date.parse(order.ready_by) <= at) return false;
  // The id of an order that was imported may be older than the order.
  const cameAt = Math.max(arrivalOf(order.id), Date.parse(order.created_at));
  return isForLater(order, settings, prepMinutes, cameAt);
}
