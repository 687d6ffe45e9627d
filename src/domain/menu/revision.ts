import { randomInt } from 'node:crypto';

const STEPS = 2 ** 24;

/**
 * The revision that follows this one, by a step that cannot be foreseen. Counting by one, a database that has lost its
 * last changes, after a failover or a restore, would give the same version and revision to another menu than before, and
 * those who hold the tag of the first would be told that theirs is still the current one.
 */
export function nextRevision(revision: number): number {
  return revision + 1 + randomInt(STEPS);
}
