import { randomInt } from 'node:crypto';
import { parseNumbers } from '../kinds.js';
import type { StatedStock } from '../publish/prepared-menu.js';

/** What the manage side has set on an item or a modifier item, apart from what was posted. */
export interface KeptMark {
  readonly inStock?: boolean | undefined;
  readonly prepType?: string | undefined;
  /** When `inStock` is lifted, in RFC 3339. */
  readonly until?: string | undefined;
  /** How many are left, where somebody counts. */
  readonly left?: number | undefined;
}

/** What a request states of a mark; null clears it. */
export interface StockChange {
  readonly inStock?: boolean | null | undefined;
  readonly prepType?: string | null | undefined;
  readonly until?: string | null | undefined;
  readonly left?: number | null | undefined;
}

/**
 * Fields that are not stated stay, with two exceptions: stating `inStock` without `until` clears the end, and stating that an
 * item with none left is in stock ends the count.
 */
export function changeMark(before: KeptMark, wanted: StockChange): KeptMark {
  const { inStock = before.inStock, prepType = before.prepType } = wanted;
  const isDisbelieved = wanted.inStock === true && before.left === 0;
  const { until = wanted.inStock === undefined ? before.until : null } = wanted;
  const { left = isDisbelieved ? null : before.left } = wanted;
  return {
    inStock: inStock ?? undefined,
    prepType: prepType === '' ? undefined : (prepType ?? undefined),
    until: inStock === false ? (until ?? undefined) : undefined,
    left: left ?? undefined,
  };
}

/** The marks of a store, by the id of the marked entity. */
export type KeptMarks = ReadonlyMap<number, KeptMark>;

/** With none left it is out of stock. Otherwise the mark decides, then the posted value. Default: in stock. */
export function isInStock(mark: KeptMark | undefined, stated: boolean | undefined): boolean {
  return mark?.left !== 0 && (mark?.inStock ?? stated ?? true);
}

/** What of a mark decides about stock. */
export type StockOfMark = Pick<KeptMark, 'inStock' | 'left'>;

/**
 * The entities whose mark, or count with none left, gives way to what is stated, by id; all others outlive the new version.
 * `idsText` has the ids of its entities, with commas between them.
 */
export function findReplacedMarks(
  { statedInStock, statedOutOfStock }: StatedStock,
  idsText: string,
  marks: ReadonlyMap<number, StockOfMark>,
): { stated: ReadonlyMap<number, boolean>; changesStock: boolean } {
  const replaced = new Map<number, boolean>();
  let changesStock = false;
  if (marks.size === 0 || statedInStock.length + statedOutOfStock.length === 0)
    return { stated: replaced, changesStock };
  const idAt = parseNumbers(idsText);
  const look = (numbers: Uint32Array, stated: boolean) => {
    for (const number of numbers) {
      const id = idAt[number];
      const mark = id === undefined ? undefined : marks.get(id);
      if (id === undefined || mark === undefined || (mark.inStock === undefined && !stated)) continue;
      replaced.set(id, stated);
      changesStock ||= isInStock(mark, undefined) !== stated;
    }
  };
  look(statedInStock, true);
  look(statedOutOfStock, false);
  return { stated: replaced, changesStock };
}

/** What stays of a mark when a menu states `in_stock`. */
export function giveWay(mark: KeptMark, stated: boolean): KeptMark {
  return { ...changeMark(mark, { inStock: stated }), inStock: undefined };
}

const STEPS = 2 ** 24;

/**
 * The next revision, by a random step. Counting by one, a database that has lost its last changes, after a failover or a
 * restore, would give a used version and revision to another menu, and clients with the old ETag would get a 304.
 */
export function nextRevision(revision: number): number {
  return revision + 1 + randomInt(STEPS);
}
