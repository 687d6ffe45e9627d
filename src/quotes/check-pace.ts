import type { OrderSize, Pace, Refusal } from '../pace/pace.js';
import type { ErrorList } from '../support/error-details.js';

const MESSAGES: Readonly<Record<Refusal['type'], string>> = {
  store_paused: 'The store has paused orders',
  store_closed: 'The store is closed',
  too_early: 'The order cannot be ready by then',
  too_late: 'Orders are not taken that far ahead',
  slot_full: 'The kitchen has no place for the order then',
};

/** When the order will be ready, as it asks or as it is promised, or why it is not taken. */
export async function checkPace(
  pace: Pace,
  wanted: number | undefined,
  size: OrderSize,
): Promise<number | Refusal> {
  if (wanted === undefined) return pace.promise(size);
  return (await pace.check(wanted, size)) ?? wanted;
}

/** The moment at which menus must be open: when it is ready, or when it could be. */
export function servedAt(outcome: number | Refusal, wanted: number | undefined): number | undefined {
  return typeof outcome === 'number' ? outcome : (wanted ?? outcome.nextAt);
}

export function refusePace({ type, nextAt, latest }: Refusal, errors: ErrorList): void {
  const ctx = {
    ...(nextAt === undefined ? {} : { next_at: new Date(nextAt).toISOString() }),
    ...(latest === undefined ? {} : { latest: new Date(latest).toISOString() }),
  };
  errors.add({
    loc: type === 'store_paused' || type === 'store_closed' ? ['body'] : ['body', 'ready_by'],
    msg: MESSAGES[type],
    type,
    ...(Object.keys(ctx).length === 0 ? {} : { ctx }),
  });
}
