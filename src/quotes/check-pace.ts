import type { OrderSize, Pace, Refusal } from '../pace/pace.js';
import type { FaultList } from '../support/faults.js';
import type { PricedLine } from './check-line.js';

/** How much of the kitchen the lines take. */
export function sizeOf(lines: readonly PricedLine[]): OrderSize {
  return lines.reduce<OrderSize>(
    (size, { item: { prepTime }, quantity }) => ({
      items: size.items + quantity,
      prepMinutes: size.prepMinutes + quantity * prepTime,
      longestMinutes: Math.max(size.longestMinutes, prepTime),
    }),
    { items: 0, prepMinutes: 0, longestMinutes: 0 },
  );
}

const MESSAGES: Readonly<Record<Refusal['type'], string>> = {
  store_paused: 'The store has paused orders',
  store_closed: 'The store is closed',
  too_early: 'The order cannot be ready by then',
  slot_full: 'The kitchen has no place for the order then',
};

/** When the order will be ready, as it asks or as it is promised; undefined, and reported, where it is not taken. */
export async function checkPace(
  pace: Pace,
  wanted: number | undefined,
  size: OrderSize,
  faults: FaultList,
): Promise<number | undefined> {
  const promised = wanted ?? (await pace.promise(size));
  const refusal =
    typeof promised !== 'number'
      ? promised
      : wanted === undefined
        ? undefined
        : await pace.check(wanted, size);
  if (refusal === undefined) return promised as number;
  refusePace(refusal, faults);
  return undefined;
}

export function refusePace({ type, nextAt }: Refusal, faults: FaultList): void {
  faults.add({
    loc: type === 'store_paused' || type === 'store_closed' ? ['body'] : ['body', 'ready_by'],
    msg: MESSAGES[type],
    type,
    ...(nextAt === undefined ? {} : { ctx: { next_at: new Date(nextAt).toISOString() } }),
  });
}
