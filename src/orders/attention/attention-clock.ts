import type { OrderStatus } from '../status.js';

export const CLOCK_REASONS = ['not_accepted', 'not_in_pos', 'late'] as const;
type ClockReason = (typeof CLOCK_REASONS)[number];

/** Why an order needs attention: the clock tells most of it, the printers the rest. */
export const ATTENTION_REASONS = [...CLOCK_REASONS, 'not_printed'] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

export interface AttentionSettings {
  readonly accept?: { readonly within_minutes?: number | undefined } | undefined;
  readonly inPosWithinMinutes?: number | undefined;
}

export interface WatchedOrder {
  /** When the store got it, in milliseconds since 1970: before that nobody could accept it. */
  readonly arrivedMs: number;
  readonly status: OrderStatus;
  readonly inPos: boolean;
  /** RFC 3339. */
  readonly readyBy: string;
}

/** When an order arrived, in milliseconds since 1970: the time in its id, a UUIDv7. Its `created_at` may be earlier. */
export function arrivalOf(orderId: string): number {
  return Number.parseInt(orderId.slice(0, 8) + orderId.slice(9, 13), 16);
}

/** The moments at which an order comes to need attention, as it is now; undefined for a reason that cannot come to hold. */
export function attentionMoments(
  { arrivedMs, status, inPos, readyBy }: WatchedOrder,
  { accept, inPosWithinMinutes }: AttentionSettings,
): Readonly<Record<ClockReason, number | undefined>> {
  const isMade = status === 'PENDING' || status === 'ACCEPTED';
  const after = (minutes: number | undefined, isOpen: boolean) =>
    minutes === undefined || !isOpen ? undefined : arrivedMs + minutes * 60_000;
  return {
    not_accepted: after(accept?.within_minutes, status === 'PENDING'),
    not_in_pos: after(inPosWithinMinutes, !inPos && (isMade || status === 'READY')),
    late: isMade ? Date.parse(readyBy) : undefined,
  };
}

/** Orders that came due longer ago are not raised, for instance after a restore or a long outage. */
const LONGEST_AGO_MS = 86_400_000;

/** The reasons that hold at `now` and were not raised before, and the next moment at which another one will. */
export function watchOrder(
  order: WatchedOrder,
  settings: AttentionSettings,
  raised: readonly string[],
  now: number,
): { readonly due: readonly ClockReason[]; readonly nextMs: number | undefined } {
  const moments = attentionMoments(order, settings);
  const due: ClockReason[] = [];
  let nextMs: number | undefined;
  for (const reason of CLOCK_REASONS) {
    const moment = moments[reason];
    if (moment === undefined || raised.includes(reason) || moment <= now - LONGEST_AGO_MS) continue;
    if (moment <= now) due.push(reason);
    else nextMs = Math.min(nextMs ?? Infinity, moment);
  }
  return { due, nextMs };
}

/** When the clock must look at an order; undefined where it need not. */
export function attentionAt(
  order: WatchedOrder,
  settings: AttentionSettings,
  raised: readonly string[] = [],
): string | undefined {
  const now = Date.now();
  const { due, nextMs } = watchOrder(order, settings, raised, now);
  const ms = due.length > 0 ? now : nextMs;
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
