import type { Queryable } from '../../db/database.js';
import { readHeads, type EventHead } from '../../db/events.js';
import { EventsGone } from '../../domain/errors.js';
import { encodeCursor, type Cursor } from '../../domain/event/cursor.js';

/** The stores whose events someone reads: one, or all that a key may see. Ids by store key. */
export interface Followed {
  readonly of: Cursor['of'];
  readonly stores: ReadonlyMap<number, string>;
}

/** How far someone has read: of each store followed, the number of the last event seen. */
export interface Place {
  readonly followed: Followed;
  readonly epoch: string;
  readonly positions: ReadonlyMap<number, number>;
}

/** Where to begin: after a cursor, after everything, or before the oldest event kept. */
export type Start = Cursor | 'now' | 'oldest';

export function cursorOf({ followed, epoch, positions }: Place): string {
  if (followed.of === 'all stores') return encodeCursor({ of: 'all stores', epoch, positions });
  const [[storeKey, sequence] = [0, 0]] = positions;
  return encodeCursor({ of: 'store', epoch, storeKey, sequence });
}

/** Whether the cursor belongs to what is followed: one of another store, or of other stores alone, does not. */
export function fits({ of, stores }: Followed, cursor: Cursor): boolean {
  if (cursor.of !== of) return false;
  if (cursor.of === 'store') return stores.has(cursor.storeKey);
  const { positions } = cursor;
  return positions.size === 0 || [...positions.keys()].some((storeKey) => stores.has(storeKey));
}

/** Throws EventsGone for a cursor after which something has been lost. */
export async function findPlace(
  db: Queryable,
  followed: Followed,
  epoch: string,
  start: Start,
): Promise<Place> {
  const heads = await readHeads(db, [...followed.stores.keys()]);
  const at = (position: (head: EventHead, storeKey: number) => number): Place => ({
    followed,
    epoch,
    positions: new Map([...heads].map(([storeKey, head]) => [storeKey, position(head, storeKey)])),
  });
  if (start === 'now') return at(({ last }) => last);
  const oldest = at(({ first }) => first - 1);
  if (start === 'oldest') return oldest;
  if (start.epoch !== epoch) throw new EventsGone(cursorOf(oldest));

  const told = start.of === 'store' ? new Map([[start.storeKey, start.sequence]]) : start.positions;
  const place = at(({ first }, storeKey) => told.get(storeKey) ?? first - 1);
  refuseLost(place, heads);
  return place;
}

/**
 * Where a cursor of one store stands, unless that takes a look into the database. Whether anything is lost since is told by
 * the page that is read next: one question less for whoever asks again and again.
 */
export function placeAt(followed: Followed, epoch: string, start: Start): Place | undefined {
  if (typeof start === 'string' || start.of !== 'store' || start.epoch !== epoch) return undefined;
  return { followed, epoch, positions: new Map([[start.storeKey, start.sequence]]) };
}

/** A position past the last event is of a past that has been undone: what comes next would be taken for something else. */
export function refuseLost(place: Place, heads: ReadonlyMap<number, EventHead>): void {
  let isLost = false;
  const positions = new Map<number, number>();
  for (const [storeKey, position] of place.positions) {
    const head = heads.get(storeKey);
    const isKept = head === undefined || (position >= head.first - 1 && position <= head.last);
    isLost ||= !isKept;
    positions.set(storeKey, isKept ? position : head.first - 1);
  }
  if (isLost) throw new EventsGone(cursorOf({ ...place, positions }));
}

/** The same place, for someone who may by now see other stores; a new one is read from its beginning. */
export function refollow({ epoch, positions }: Place, followed: Followed): Place {
  const kept = [...followed.stores.keys()].map(
    (storeKey) => [storeKey, positions.get(storeKey) ?? 0] as const,
  );
  return { followed, epoch, positions: new Map(kept) };
}
