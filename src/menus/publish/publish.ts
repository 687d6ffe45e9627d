import { BOUNDS } from '../../support/bounds.js';
import type { Queryable, Transaction } from '../../postgres/database.js';
import { audit } from '../../audit/audit.sql.js';
import { newEvent } from '../../events/event.js';
import { appendEvents } from '../../events/events.sql.js';
import { assignIds } from './entities.sql.js';
import { lockMarks, putMarks, readMarksText, readStockMarks, setStockRevision } from '../stock/stock.sql.js';
import {
  copyVersion,
  findNewestVersion,
  insertVersion,
  listVersions,
  lockMenu,
  pruneVersions,
  readFacts,
  readIds,
  setMenuState,
  type MenuState,
  type VersionIdentity,
  type VersionIds,
  type VersionSummary,
} from '../versions/versions.sql.js';
import { PreconditionFailed, requireFound } from '../../support/errors.js';
import type { Limits } from '../../support/limits.js';
import { findReplacedMarks, giveWay, nextRevision } from '../stock/marks.js';
import type { PreparedMenu, StatedStock, StoreAdditions, VersionFacts } from './prepared-menu.js';
import { createFairSemaphore, type SemaphoreSizes, type StoreTenant } from '../../support/fair-semaphore.js';
import { viaOf } from '../../support/actor.js';
import type { JobTenant } from '../../support/thread-pool.js';
import { refuseLargeTree } from '../tree/size.js';

type VersionLimits = Pick<Limits, 'treeBytes' | 'versionsKept' | 'versionBytesKept'>;

export interface PublishRequest {
  readonly storeKey: number;
  readonly keyId: string;
  readonly preparedMenu: PreparedMenu;
  readonly limits: VersionLimits;
  /** Default: any version is accepted. */
  readonly acceptsCurrent?: AcceptsCurrent | undefined;
  /** The publication to several stores, or at a set time, that this is part of. */
  readonly publicationId?: string;
}

/** Whether the caller has seen the version that readers see; `newest` is what a new one follows, the same but for a moment. */
type AcceptsCurrent = (version: number, newest: number) => boolean;

/** Where the menu stands now; with what the store adds to it, unless it was current already. */
export interface Published {
  readonly state: MenuState;
  readonly additions?: StoreAdditions;
}

export async function publishMenu(tx: Transaction, request: PublishRequest): Promise<Published> {
  const { storeKey, keyId, preparedMenu } = request;
  const { state, idsText } = await replaceMenu(tx, {
    ...request,
    facts: preparedMenu,
    restated: preparedMenu.restated,
    findIds: async (current) =>
      current?.externalIdsHash.equals(preparedMenu.externalIdsHash) === true
        ? { text: await readIds(tx, storeKey, current.version), asIn: current.version }
        : { text: await assignIds(tx, storeKey, preparedMenu.externalIds) },
    insert: (version, ids) => insertVersion(tx, { ...preparedMenu, storeKey, version, keyId, ids }),
  });
  if (idsText === undefined) return { state };
  const marksText = await readMarksText(tx, storeKey);
  return { state, additions: { idsText, marksText } };
}

/** Refuses what publishing would refuse, and changes nothing. Returns the marks it has looked at. */
export async function checkPrepared(
  db: Queryable,
  { storeKey, preparedMenu, limits }: Omit<PublishRequest, 'keyId' | 'acceptsCurrent'>,
) {
  const marks = await readStockMarks(db, storeKey);
  const { longestPrepType } = marks;
  refuseLargeTree(preparedMenu, { mostBytes: limits.treeBytes, longestPrepType });
  return marks;
}

/** Whether publishing would make a version. Refuses what publishing would refuse, and changes nothing. */
export async function wouldPublish(
  db: Queryable,
  request: Omit<PublishRequest, 'keyId' | 'acceptsCurrent'>,
): Promise<boolean> {
  const { storeKey, preparedMenu } = request;
  const { stock } = await checkPrepared(db, request);
  const newest = await findNewestVersion(db, storeKey);
  if (newest?.contentHash.equals(preparedMenu.contentHash) !== true) return true;
  const idsText = await readIds(db, storeKey, newest.version);
  return findReplacedMarks(preparedMenu.restated ?? preparedMenu, idsText, stock).changesStock;
}

export interface RestoreRequest {
  readonly storeKey: number;
  readonly keyId: string;
  readonly version: number;
  /** The version that it is to take the place of; undefined: whichever is current. */
  readonly expect?: number | undefined;
  readonly limits: VersionLimits;
}

/** Publishes an earlier version again; ids never move, so its own are still right. */
export async function restoreMenu(
  tx: Transaction,
  { storeKey, keyId, version, expect, limits }: RestoreRequest,
): Promise<VersionSummary> {
  await lockMenu(tx, storeKey);
  const facts = requireFound(await readFacts(tx, storeKey, version), 'Menu version');
  const { state } = await replaceMenu(tx, {
    storeKey,
    facts,
    keyId,
    restoredFrom: version,
    limits,
    acceptsCurrent: (_, newest) => expect === undefined || newest === expect,
    findIds: () => Promise.resolve({ text: facts.idsText }),
    insert: (to) => copyVersion(tx, { storeKey, from: version, to, keyId }),
  });
  const [summary] = await listVersions(tx, storeKey, { before: state.version + 1, limit: 1 });
  return requireFound(summary, 'Menu version');
}

/** The version that is to be current, whether it is new or was there before. */
interface Replacement {
  readonly storeKey: number;
  readonly facts: VersionFacts;
  readonly restated?: StatedStock | undefined;
  readonly keyId: string;
  readonly restoredFrom?: number;
  readonly publicationId?: string;
  readonly limits: VersionLimits;
  readonly acceptsCurrent?: AcceptsCurrent | undefined;
  /** Given is what is current, if anything is. */
  findIds(current: VersionIdentity | undefined): Promise<VersionIds>;
  insert(version: number, ids: VersionIds): Promise<void>;
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
  const locked = await lockMenu(tx, storeKey);
  const newest = await findNewestVersion(tx, storeKey);
  const isSame = newest?.contentHash.equals(facts.contentHash) ?? false;
  // A client that repeats its own publication, because the response was lost, does not conflict with itself.
  const isOwn = isSame && newest?.keyId === wanted.keyId;
  // Readers see the state: one that has fallen behind the newest version catches up here.
  const current = { ...locked, version: newest?.version ?? locked.version };
  if (!isOwn && wanted.acceptsCurrent?.(locked.version, current.version) === false) throw publishedSince();
  if (current.version !== locked.version) await setMenuState(tx, storeKey, current);

  const marks = await readStockMarks(tx, storeKey);
  refuseLargeTree(facts, { mostBytes: wanted.limits.treeBytes, longestPrepType: marks.longestPrepType });
  if (isSame && marks.stock.size === 0) return { state: current };

  const ids = await wanted.findIds(newest);
  const replaced = findReplacedMarks(wanted.restated ?? facts, ids.text, marks.stock);
  if (replaced.stated.size > 0) {
    const kept = await lockMarks(tx, storeKey, [...replaced.stated.keys()]);
    const after = [...kept].map(
      ([id, mark]) => [id, giveWay(mark, replaced.stated.get(id) === true)] as const,
    );
    await putMarks(tx, storeKey, after);
    await setStockRevision(tx, storeKey, current.stockRevision);
  }
  // Marks that say what the menu says itself go without a trace: no reader sees a difference.
  if (isSame && !replaced.changesStock) return { state: current };

  const state = { version: current.version + 1, stockRevision: nextRevision(current.stockRevision) };
  await wanted.insert(state.version, ids);
  await pruneVersions(tx, storeKey, wanted.limits);
  await setMenuState(tx, storeKey, state);
  const { keyId, restoredFrom: restored_from, publicationId: publication_id } = wanted;
  const after = { version: state.version, restored_from, publication_id };
  const act = { keyId, at: new Date().toISOString(), via: viaOf(tx.by) };
  const event = newEvent('menu.published', act, after);
  await audit(tx, 'menu.published', { storeKey, subject: String(state.version), after, keyId });
  await appendEvents(tx, storeKey, [event]);
  return { state, idsText: ids.text };
}

export function publishedSince(): PreconditionFailed {
  return new PreconditionFailed(
    'Someone else has published this menu since you read it. Read it again before publishing.',
  );
}

/** Runs what replaces a store's menu as soon as it may begin. */
export type QueuePublication = <T>(publisher: StoreTenant & JobTenant, work: () => Promise<T>) => Promise<T>;

/**
 * Publications of one store would wait for one another on its row, each with a connection in hand: so they wait here, and
 * all of them together leave most of the connections to others.
 */
export function createPublishQueue(bound: SemaphoreSizes = BOUNDS.publications): QueuePublication {
  const permits = createFairSemaphore(bound);
  return async ({ storeKey, merchantId, signal }, work) => {
    const release = await permits.acquire({ owner: merchantId, store: storeKey, signal });
    try {
      return await work();
    } finally {
      release();
    }
  };
}
