import type { Transaction } from '../db/database.js';
import { appendEvents } from '../db/events.js';
import { clearStockMarks, readStockMarks, type StockMarks } from '../db/menu-marks.js';
import {
  findHashes,
  lockMenu,
  pruneVersions,
  setMenuState,
  type MenuState,
  type VersionHashes,
} from '../db/menu-versions.js';
import { PreconditionFailed } from '../domain/errors.js';
import type { TellEvents } from '../domain/event/event.js';
import { menuPublished } from '../domain/event/new-event.js';
import type { Limits } from '../domain/limits.js';
import { nextRevision } from '../domain/menu/marks.js';
import type { VersionFacts } from '../domain/menu/publication.js';
import { refuseLargeTree } from '../domain/menu/menu-limits.js';

/** What bounds a version, and those that are kept. */
export type VersionLimits = Pick<Limits, 'treeBytes' | 'versionsKept' | 'versionBytesKept'>;

/** The version that is to be current, whether it is new or was there before. */
export interface Replacement {
  readonly storeKey: number;
  readonly facts: VersionFacts;
  readonly keyId: string;
  /** The version that it repeats, if it does. */
  readonly restoredFrom?: number;
  readonly tell: TellEvents;
  readonly limits: VersionLimits;
  readonly isExpected?: ((version: number) => boolean) | undefined;
  /** The ids of its entities, with commas between them; given is what is current, if anything is. */
  findIds(current: (VersionHashes & { readonly version: number }) | undefined): Promise<string>;
  insert(version: number, ids: string): Promise<void>;
}

/** Where the menu stands now; with the ids of the new version, unless it was current already. */
export interface Replaced {
  readonly state: MenuState;
  readonly ids?: string;
}

/**
 * Replaces the store's menu in a transaction that holds the store's row: replacements of one store happen one after the
 * other, and each is there as a whole or not at all. What is current already stays.
 */
export async function replaceMenu(tx: Transaction, wanted: Replacement): Promise<Replaced> {
  const { storeKey, facts } = wanted;
  const current = await lockMenu(tx, storeKey);
  if (wanted.isExpected?.(current.version) === false)
    throw new PreconditionFailed('The menu has been published since: read it again before publishing');

  const hashes = await findHashes(tx, storeKey, current.version);
  const marks = await readStockMarks(tx, storeKey);
  refuseLargeTree(facts, { mostBytes: wanted.limits.treeBytes, longestPrepType: marks.longestPrepType });
  const isSame = hashes?.contentHash.equals(facts.contentHash) ?? false;
  if (isSame && marks.inStock.size === 0) return { state: current };

  const ids = await wanted.findIds(hashes && { ...hashes, version: current.version });
  const replaced = findReplacedMarks(facts, ids, marks);
  if (replaced.ids.length > 0) await clearStockMarks(tx, storeKey, replaced.ids);
  if (isSame && !replaced.hasMoved) return { state: current };

  const state = { version: current.version + 1, stockRevision: nextRevision(current.stockRevision) };
  await wanted.insert(state.version, ids);
  await pruneVersions(tx, storeKey, wanted.limits);
  await setMenuState(tx, storeKey, state);
  const act = { keyId: wanted.keyId, at: new Date().toISOString() };
  await appendEvents(tx, storeKey, [menuPublished(state.version, wanted.restoredFrom, act)], wanted.tell);
  return { state, ids };
}

/** What states `in_stock` takes the place of a mark; `hasMoved` tells whether that shows. */
function findReplacedMarks(
  { statedIn, statedOut }: VersionFacts,
  ids: string,
  { inStock }: StockMarks,
): { ids: number[]; hasMoved: boolean } {
  const replaced: number[] = [];
  let hasMoved = false;
  if (inStock.size === 0 || statedIn.length + statedOut.length === 0) return { ids: replaced, hasMoved };
  const idAt = ids.split(',').map(Number);
  const look = (numbers: Uint32Array, stated: boolean) => {
    for (const number of numbers) {
      const id = idAt[number];
      const marked = id === undefined ? undefined : inStock.get(id);
      if (id === undefined || marked === undefined) continue;
      replaced.push(id);
      hasMoved ||= marked !== stated;
    }
  };
  look(statedIn, true);
  look(statedOut, false);
  return { ids: replaced, hasMoved };
}
