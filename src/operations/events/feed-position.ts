import type { KeptRange } from '../../db/events.js';
import { EventsGone } from '../../domain/errors.js';
import { encodeCursor, type Cursor } from '../../domain/event/cursor.js';

/** The stores whose events someone reads: one, or all that a key may see. Ids by store key. */
export interface Followed {
  readonly of: Cursor['of'];
  readonly stores: ReadonlyMap<number, string>;
}

/** How far someone has read: of each store followed, the number of the last event seen. */
export interface FeedPosition {
  readonly followed: Followed;
  readonly epoch: string;
  readonly lastSeen: ReadonlyMap<number, number>;
}

/** Where to begin: after a cursor, after everything, or before the oldest event kept. */
export type Start = Cursor | 'now' | 'oldest';

export function cursorOf({ followed, epoch, lastSeen }: FeedPosition): string {
  if (followed.of === 'all stores') return encodeCursor({ of: 'all stores', epoch, positions: lastSeen });
  const [[storeKey, sequence] = [0, 0]] = lastSeen;
  return encodeCursor({ of: 'store', epoch, storeKey, sequence });
}

/** Whether the cursor belongs to what is followed: one of another store, or of other stores alone, does not. */
export function cursorFits({ of, stores }: Followed, cursor: Cursor): boolean {
  if (cursor.of !== of) return false;
  if (cursor.of === 'store') return stores.has(cursor.storeKey);
  const { positions } = cursor;
  return positions.size === 0 || [...positions.keys()].some((storeKey) => stores.has(storeKey));
}

/** Throws EventsGone for a cursor after which something has been lost. */
export function findPosition(
  ranges: ReadonlyMap<number, KeptRange>,
  followed: Followed,
  epoch: string,
  start: Start,
): FeedPosition {
  const at = (sequenceIn: (kept: KeptRange, storeKey: number) => number): FeedPosition => ({
    followed,
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
 * The position of a cursor of one store, which needs no query; undefined for any other start. Whether anything is lost since
 * is found by the page that is read next.
 */
export function positionOfCursor(followed: Followed, epoch: string, start: Start): FeedPosition | undefined {
  if (typeof start === 'string' || start.of !== 'store' || start.epoch !== epoch) return undefined;
  return { followed, epoch, lastSeen: new Map([[start.storeKey, start.sequence]]) };
}

/**
 * Throws EventsGone where events after the position are no longer kept, and where the position is past the last event: the
 * database was set back, and the next events will have numbers that the reader has seen already.
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

/** The same position, for someone who may by now see other stores; a new one is read from its beginning. */
export function refollow({ epoch, lastSeen }: FeedPosition, followed: Followed): FeedPosition {
  const kept = [...followed.stores.keys()].map(
    (storeKey) => [storeKey, lastSeen.get(storeKey) ?? 0] as const,
  );
  return { followed, epoch, lastSeen: new Map(kept) };
}
