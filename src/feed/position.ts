import type { KeptRange } from '../events/events.sql.js';
import { EventsGone } from '../support/errors.js';
import { encodeCursor, type Cursor } from '../events/cursor.js';

/** The stores that a reader follows: one, or all that a key may see. Ids by store key. */
export interface Subscription {
  readonly of: Cursor['of'];
  readonly stores: ReadonlyMap<number, string>;
}

/** The last sequence seen of each store in the subscription. */
export interface FeedPosition {
  readonly subscription: Subscription;
  readonly epoch: string;
  readonly lastSeen: ReadonlyMap<number, number>;
}

/** Where to start: after a cursor, after everything, or before the oldest kept event. */
export type Start = Cursor | 'now' | 'oldest';

export function cursorOf({ subscription, epoch, lastSeen }: FeedPosition): string {
  if (subscription.of === 'all stores') return encodeCursor({ of: 'all stores', epoch, positions: lastSeen });
  const [[storeKey, sequence] = [0, 0]] = lastSeen;
  return encodeCursor({ of: 'store', epoch, storeKey, sequence });
}

/** Whether the cursor belongs to the subscription: it must share a store with it. */
export function cursorFits({ of, stores }: Subscription, cursor: Cursor): boolean {
  if (cursor.of !== of) return false;
  if (cursor.of === 'store') return stores.has(cursor.storeKey);
  const { positions } = cursor;
  return positions.size === 0 || [...positions.keys()].some((storeKey) => stores.has(storeKey));
}

/** Throws EventsGone if events after the cursor have been lost. */
export function findPosition(
  ranges: ReadonlyMap<number, KeptRange>,
  subscription: Subscription,
  epoch: string,
  start: Start,
): FeedPosition {
  const at = (sequenceIn: (kept: KeptRange, storeKey: number) => number): FeedPosition => ({
    subscription,
    epoch,
    lastSeen: new Map([...ranges].map(([storeKey, kept]) => [storeKey, sequenceIn(kept, storeKey)])),
  });
  if (start === 'now') return at(({ last }) => last);
  const oldest = at(({ first }) => first - 1);
  if (start === 'oldest') return oldest;
  if (start.epoch !== epoch) throw new EventsGone(cursorOf(oldest));

  const given = start.of === 'store' ? new Map([[start.storeKey, start.sequence]]) : start.positions;
  const position = at(({ first }, storeKey) => given.get(storeKey) ?? first - 1);
  refuseLost(position, ranges);
  return position;
}

/**
 * Throws EventsGone if events after the position are no longer kept, or if the position is past the last event: then the
 * database was rolled back, and the next events will reuse sequences that the reader has seen.
 */
export function refuseLost(position: FeedPosition, ranges: ReadonlyMap<number, KeptRange>): void {
  let isLost = false;
  const lastSeen = new Map<number, number>();
  for (const [storeKey, sequence] of position.lastSeen) {
    const kept = ranges.get(storeKey);
    const isKept = kept === undefined || (sequence >= kept.first - 1 && sequence <= kept.last);
    isLost ||= !isKept;
    lastSeen.set(storeKey, isKept ? sequence : kept.first - 1);
  }
  if (isLost) throw new EventsGone(cursorOf({ ...position, lastSeen }));
}

/** Adapts the position to a changed set of stores; an added store is read from its start. */
export function resubscribe({ epoch, lastSeen }: FeedPosition, subscription: Subscription): FeedPosition {
  const kept = [...subscription.stores.keys()].map(
    (storeKey) => [storeKey, lastSeen.get(storeKey) ?? 0] as const,
  );
  return { subscription, epoch, lastSeen: new Map(kept) };
}
