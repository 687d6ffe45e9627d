import type { Database, Transaction } from '../db/database.js';
import { assignIds } from '../db/menu-entities.js';
import { clearStockMarks, readMarksText, readStockMarks, type StockMarks } from '../db/menu-marks.js';
import {
  findHashes,
  insertVersion,
  lockMenu,
  readIds,
  setMenuState,
  type MenuState,
} from '../db/menu-versions.js';
import { createTurns } from '../db/turns.js';
import { PreconditionFailed } from '../domain/errors.js';
import type { NewPublication, Publication } from '../domain/menu/publication.js';
import { nextRevision } from '../domain/menu/revision.js';
import { largestTree, refuseTreeOver } from '../domain/menu/tree-limit.js';
import type { MenuSource } from '../menu-rendering/jobs.js';
import type { Menus } from '../menu-rendering/menus.js';

export interface PublishContext {
  readonly menus: Pick<Menus, 'treeBytes'>;
  readonly mostTreeBytes: number;
}

export interface PublishRequest {
  readonly storeKey: number;
  readonly keyId: string;
  /** Either with the keys of its entities, or, when it was published before, with their ids. */
  readonly publication: NewPublication | (Publication & { readonly ids: string });
  readonly restoredFrom?: number;
  /** Says whether the version found is the one the caller believes current. */
  readonly isExpected?: (version: number) => boolean;
}

/** Where the menu stands now; with what was published, unless that was current already. */
export interface Published {
  readonly state: MenuState;
  readonly source?: MenuSource;
}

/** Publications that wait for one another on the same store must not hold every connection of the pool. */
const AT_ONCE = 3;

export function createPublisher(
  db: Database,
  context: PublishContext,
): (request: PublishRequest) => Promise<Published> {
  const turns = createTurns(AT_ONCE);
  return async (request) => {
    await turns.take();
    try {
      return await db.transaction((tx) => publishMenu(context, tx, request));
    } finally {
      turns.giveBack();
    }
  };
}

/**
 * Makes the publication the store's current menu, in one transaction that holds the store's row: publications of one
 * store happen one after the other, and each is there as a whole or not at all. What is current already stays.
 */
export async function publishMenu(
  { menus, mostTreeBytes }: PublishContext,
  tx: Transaction,
  request: PublishRequest,
): Promise<Published> {
  const { storeKey, publication } = request;
  const current = await lockMenu(tx, storeKey);
  if (request.isExpected?.(current.version) === false)
    throw new PreconditionFailed('The menu has been published since: read it again before publishing');

  const hashes = await findHashes(tx, storeKey, current.version);
  const marks = await readStockMarks(tx, storeKey);
  const isSame = hashes?.contentHash.equals(publication.contentHash) ?? false;
  if (isSame && marks.inStock.size === 0) return { state: current };

  const ids = await findIds(tx, request, current.version, hashes?.keysHash);
  const replaced = findReplacedMarks(publication, ids, marks);
  if (replaced.ids.length > 0) await clearStockMarks(tx, storeKey, replaced.ids);
  if (isSame && !replaced.hasMoved) return { state: current };

  const source = { content: publication.content, ids, marks: await readMarksText(tx, storeKey) };
  if (largestTree(publication.treeBytes, publication.treeEntities, marks.longestPrepType) > mostTreeBytes)
    refuseTreeOver(mostTreeBytes, await menus.treeBytes(source));
  const state = { version: current.version + 1, stockRevision: nextRevision(current.stockRevision) };
  const { keyId, restoredFrom } = request;
  await insertVersion(tx, { ...publication, storeKey, version: state.version, keyId, restoredFrom, ids });
  await setMenuState(tx, storeKey, state);
  return { state, source };
}

async function findIds(
  tx: Transaction,
  { storeKey, publication }: PublishRequest,
  currentVersion: number,
  currentKeysHash: Buffer | undefined,
): Promise<string> {
  if ('ids' in publication) return publication.ids;
  const hasSameKeys = currentKeysHash?.equals(publication.keysHash) ?? false;
  return hasSameKeys ? readIds(tx, storeKey, currentVersion) : assignIds(tx, storeKey, publication.keys);
}

/** What states `in_stock` takes the place of a mark; `hasMoved` tells whether that shows. */
function findReplacedMarks(
  { statedIn, statedOut }: Publication,
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
