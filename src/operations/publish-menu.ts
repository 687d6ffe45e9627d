import type { Menus } from '../menu-rendering/menus.js';
import type { Limits } from '../domain/limits.js';
import { createSlots } from '../domain/slots.js';
import type { Database, Transaction } from '../db/database.js';
import { assignIds } from '../db/menu-entities.js';
import { readMarksText, readStockMarks } from '../db/menu-marks.js';
import { insertVersion, readIds, type MenuState } from '../db/menu-versions.js';
import type { TellEvents } from '../domain/event/event.js';
import type { Publication } from '../domain/menu/publication.js';
import { refuseLargeTree } from '../domain/menu/menu-limits.js';
import type { MenuAsker, MenuSource } from '../menu-rendering/jobs.js';
import { replaceMenu, type VersionLimits } from './replace-menu.js';

/** What every route of a menu works with, on either surface. */
export interface MenuContext {
  readonly db: Database;
  readonly menus: Menus;
  readonly limits: Limits;
  readonly tell: TellEvents;
  readonly publications: PublicationQueue;
}

export interface PublishRequest {
  readonly storeKey: number;
  readonly keyId: string;
  readonly tell: TellEvents;
  readonly publication: Publication;
  readonly limits: VersionLimits;
  /** Says whether the version found is the one the caller believes current. */
  readonly isExpected?: ((version: number) => boolean) | undefined;
}

/** Where the menu stands now; with what was published, unless that was current already. */
export interface Published {
  readonly state: MenuState;
  readonly source?: MenuSource;
}

/** Makes the publication the store's current menu. */
export async function publishMenu(tx: Transaction, request: PublishRequest): Promise<Published> {
  const { storeKey, keyId, tell, publication, limits, isExpected } = request;
  const { state, ids } = await replaceMenu(tx, {
    storeKey,
    facts: publication,
    keyId,
    tell,
    limits,
    isExpected,
    findIds: (current) =>
      current?.keysHash.equals(publication.keysHash) === true
        ? readIds(tx, storeKey, current.version)
        : assignIds(tx, storeKey, publication.keys),
    insert: (version, given) => insertVersion(tx, { ...publication, storeKey, version, keyId, ids: given }),
  });
  if (ids === undefined) return { state };
  return { state, source: { content: publication.content, ids, marks: await readMarksText(tx, storeKey) } };
}

/** Refuses what publishing would refuse, and changes nothing. */
export async function checkPublication(
  db: Database,
  { storeKey, publication, limits }: Omit<PublishRequest, 'keyId' | 'tell' | 'isExpected'>,
): Promise<void> {
  const { longestPrepType } = await readStockMarks(db, storeKey);
  refuseLargeTree(publication, { mostBytes: limits.treeBytes, longestPrepType });
}

/** Runs what replaces a store's menu as soon as it may begin. */
export type PublicationQueue = <T>(publisher: MenuAsker, work: () => Promise<T>) => Promise<T>;

/**
 * Publications of one store would wait for one another on its row, each with a connection in hand: so they wait here, and
 * all of them together leave most of the connections to others.
 */
const AT_ONCE = { size: 3, perOwner: 2, perStore: 1, mostWaiting: 200 };

export function createPublicationQueue(): PublicationQueue {
  const slots = createSlots(AT_ONCE);
  return async ({ storeKey, merchantId, gone }, work) => {
    const giveBack = await slots.take({ owner: merchantId, store: storeKey, gone });
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
