import { randomInt } from 'node:crypto';
import { parseNumbers } from './kinds.js';
import type { VersionFacts } from './publication.js';

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

/**
 * The marks of which a new version states `in_stock`, and so takes the place; all others outlive it. `idsText` has the ids
 * of its entities, with commas between them; `inStock` what is marked, by id.
 */
export function findReplacedMarks(
  { statedIn, statedOut }: VersionFacts,
  idsText: string,
  inStock: ReadonlyMap<number, boolean>,
): { ids: number[]; changesStock: boolean } {
  const replaced: number[] = [];
  let changesStock = false;
  if (inStock.size === 0 || statedIn.length + statedOut.length === 0) return { ids: replaced, changesStock };
  const idAt = parseNumbers(idsText);
  const look = (numbers: Uint32Array, stated: boolean) => {
    for (const number of numbers) {
      const id = idAt[number];
      const marked = id === undefined ? undefined : inStock.get(id);
      if (id === undefined || marked === undefined) continue;
      replaced.push(id);
      changesStock ||= marked !== stated;
    }
  };
  look(statedIn, true);
  look(statedOut, false);
  return { ids: replaced, changesStock };
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
