import type { Database, Queryable, Transaction } from '../db/database.js';
import { appendEvents } from '../db/events.js';
import { assignIds } from '../db/menu-entities.js';
import { clearStockMarks, readMarksText, readStockMarks } from '../db/menu-marks.js';
import {
  copyVersion,
  findVersion,
  insertVersion,
  listVersions,
  lockMenu,
  pruneVersions,
  readFacts,
  readIds,
  setMenuState,
  type MenuState,
  type VersionIdentity,
  type VersionSummary,
} from '../db/menu-versions.js';
import { NotFound, PreconditionFailed } from '../domain/errors.js';
import { menuPublished } from '../domain/event/event.js';
import type { Limits } from '../domain/limits.js';
import { findReplacedMarks, nextRevision } from '../domain/menu/marks.js';
import type { MenuSource, Publication, VersionFacts } from '../domain/menu/publication.js';
import { createSlots } from '../domain/slots.js';
import type { Menus } from '../menu-rendering/menus.js';
import type { MenuAsker } from '../menu-rendering/thread-pool.js';
import { refuseLargeTree } from '../menu-rendering/tree.js';

/** What every route of a menu works with, on either surface. */
export interface MenuContext {
  readonly db: Database;
  readonly menus: Menus;
  readonly limits: Limits;
  readonly queuePublication: QueuePublication;
}

/** What bounds a version, and those that are kept. */
type VersionLimits = Pick<Limits, 'treeBytes' | 'versionsKept' | 'versionBytesKept'>;

export interface PublishRequest {
  readonly storeKey: number;
  readonly keyId: string;
  readonly publication: Publication;
  readonly limits: VersionLimits;
  /** Whether the version found is one that the caller has seen; any will do unless told. */
  readonly acceptsCurrent?: ((version: number) => boolean) | undefined;
}

/** Where the menu stands now; with what was published, unless that was current already. */
export interface Published {
  readonly state: MenuState;
  readonly source?: MenuSource;
}

/** Makes the publication the store's current menu. */
export async function publishMenu(tx: Transaction, request: PublishRequest): Promise<Published> {
  const { storeKey, keyId, publication, limits, acceptsCurrent } = request;
  const { state, idsText } = await replaceMenu(tx, {
    storeKey,
    facts: publication,
    keyId,
    limits,
    acceptsCurrent,
    findIds: (current) =>
      current?.externalIdsHash.equals(publication.externalIdsHash) === true
        ? readIds(tx, storeKey, current.version)
        : assignIds(tx, storeKey, publication.externalIds),
    insert: (version, ids) => insertVersion(tx, { ...publication, storeKey, version, keyId, idsText: ids }),
  });
  if (idsText === undefined) return { state };
  const marksText = await readMarksText(tx, storeKey);
  return { state, source: { content: publication.content, idsText, marksText } };
}

/** Refuses what publishing would refuse, and changes nothing. */
export async function checkPublication(
  db: Queryable,
  { storeKey, publication, limits }: Omit<PublishRequest, 'keyId' | 'acceptsCurrent'>,
): Promise<void> {
  const { longestPrepType } = await readStockMarks(db, storeKey);
  refuseLargeTree(publication, { mostBytes: limits.treeBytes, longestPrepType });
}

export interface RestoreRequest {
  readonly storeKey: number;
  readonly keyId: string;
  readonly version: number;
  readonly limits: VersionLimits;
}

/** Publishes an earlier version again; ids never move, so its own are still right. */
export async function restoreMenu(
  tx: Transaction,
  { storeKey, keyId, version, limits }: RestoreRequest,
): Promise<VersionSummary> {
  await lockMenu(tx, storeKey);
  const facts = await readFacts(tx, storeKey, version);
  if (facts === undefined) throw new NotFound('Menu version');
  const { state } = await replaceMenu(tx, {
    storeKey,
    facts,
    keyId,
    restoredFrom: version,
    limits,
    findIds: () => Promise.resolve(facts.idsText),
    insert: (to) => copyVersion(tx, { storeKey, from: version, to, keyId }),
  });
  const [summary] = await listVersions(tx, storeKey, { before: state.version + 1, limit: 1 });
  if (summary === undefined) throw new NotFound('Menu version');
  return summary;
}

/** The version that is to be current, whether it is new or was there before. */
interface Replacement {
  readonly storeKey: number;
  readonly facts: VersionFacts;
  readonly keyId: string;
  /** The version that it repeats, if it does. */
  readonly restoredFrom?: number;
  readonly limits: VersionLimits;
  readonly acceptsCurrent?: ((version: number) => boolean) | undefined;
  /** The ids of its entities, with commas between them; given is what is current, if anything is. */
  findIds(current: (VersionIdentity & { readonly version: number }) | undefined): Promise<string>;
  insert(version: number, idsText: string): Promise<void>;
}

/** Where the menu stands now; with the ids of the new version, unless it was current already. */
interface Replaced {
  readonly state: MenuState;
  readonly idsText?: string;
}

/**
 * Replaces the store's menu in a transaction that holds the store's row: replacements of one store happen one after the
 * other, and each is there as a whole or not at all. What is current already stays.
 */
async function replaceMenu(tx: Transaction, wanted: Replacement): Promise<Replaced> {
  const { storeKey, facts } = wanted;
  const current = await lockMenu(tx, storeKey);
  const version = await findVersion(tx, storeKey, current.version);
  const isSame = version?.contentHash.equals(facts.contentHash) ?? false;
  // Whoever sends again what was published with the answer lost on the way is not someone else.
  const isOwn = isSame && version?.keyId === wanted.keyId;
  if (!isOwn && wanted.acceptsCurrent?.(current.version) === false)
    throw new PreconditionFailed('The menu has been published since: read it again before publishing');

  const marks = await readStockMarks(tx, storeKey);
  refuseLargeTree(facts, { mostBytes: wanted.limits.treeBytes, longestPrepType: marks.longestPrepType });
  if (isSame && marks.inStock.size === 0) return { state: current };

  const idsText = await wanted.findIds(version && { ...version, version: current.version });
  const replaced = findReplacedMarks(facts, idsText, marks.inStock);
  if (replaced.ids.length > 0) await clearStockMarks(tx, storeKey, replaced.ids);
  // Marks that say what the menu says itself go without a trace: no reader sees a difference.
  if (isSame && !replaced.changesStock) return { state: current };

  const state = { version: current.version + 1, stockRevision: nextRevision(current.stockRevision) };
  await wanted.insert(state.version, idsText);
  await pruneVersions(tx, storeKey, wanted.limits);
  await setMenuState(tx, storeKey, state);
  const act = { keyId: wanted.keyId, at: new Date().toISOString() };
  await appendEvents(tx, storeKey, [menuPublished(state.version, wanted.restoredFrom, act)]);
  return { state, idsText };
}

/** Runs what replaces a store's menu as soon as it may begin. */
export type QueuePublication = <T>(publisher: MenuAsker, work: () => Promise<T>) => Promise<T>;

/**
 * Publications of one store would wait for one another on its row, each with a connection in hand: so they wait here, and
 * all of them together leave most of the connections to others.
 */
const PUBLICATIONS = { size: 3, perOwner: 2, perStore: 1, mostWaiting: 200 };

export function createPublicationQueue(): QueuePublication {
  const slots = createSlots(PUBLICATIONS);
  return async ({ storeKey, merchantId, gone }, work) => {
    const giveBack = await slots.take({ owner: merchantId, store: storeKey, gone });
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
