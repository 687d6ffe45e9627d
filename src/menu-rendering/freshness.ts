import type { MenuState } from '../db/menu-versions.js';

/** Something made from a menu, and the state of the store that it shows. */
export interface Made {
  readonly state: MenuState;
  /** When it was made, on the clock of this process. */
  readonly madeAt: number;
}

/** Longer than a request ever waits between the look at the store's state and the menu. */
const OVERTAKEN_MS = 15_000;

/**
 * What is ahead of the wanted state was published since that was read. If it is not new, the database has lost what it
 * shows, as after a failover.
 */
export function isCurrent({ state, madeAt }: Made, wanted: MenuState): boolean {
  if (state.version === wanted.version && state.stockRevision === wanted.stockRevision) return true;
  return isAsNew(state, wanted) && performance.now() - madeAt < OVERTAKEN_MS;
}

/** Version and revision only ever grow. */
export function isAsNew(state: MenuState, wanted: MenuState): boolean {
  if (state.version !== wanted.version) return state.version > wanted.version;
  return state.stockRevision >= wanted.stockRevision;
}
