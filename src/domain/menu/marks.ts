import { randomInt } from 'node:crypto';

/** What the manage side has set on an item or a modifier item, apart from what was posted. */
export interface Mark {
  readonly inStock?: boolean | undefined;
  readonly prepType?: string | undefined;
}

/** The marks of a store, by the id of the marked entity. */
export type Marks = ReadonlyMap<number, Mark>;

/** A mark outweighs what was posted; an entity without either is in stock. */
export function isInStock(mark: Mark | undefined, stated: boolean | undefined): boolean {
  return mark?.inStock ?? stated ?? true;
}

const STEPS = 2 ** 24;

/**
 * The revision that follows this one, by a step that cannot be foreseen. Counting by one, a database that has lost its
 * last changes, after a failover or a restore, would give the same version and revision to another menu than before, and
 * those who hold the tag of the first would be told that theirs is still the current one.
 */
export function nextRevision(revision: number): number {
  return revision + 1 + randomInt(STEPS);
}
