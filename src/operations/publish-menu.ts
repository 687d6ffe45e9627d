import type { Database, Transaction } from '../db/database.js';
import { assignIds } from '../db/menu-entities.js';
import { readMarksText, readStockMarks } from '../db/menu-marks.js';
import { insertVersion, readIds, type MenuState } from '../db/menu-versions.js';
import type { TellEvents } from '../domain/event/event.js';
import type { Publication } from '../domain/menu/publication.js';
import { refuseLargeTree } from '../domain/menu/tree-limit.js';
import type { MenuSource } from '../menu-rendering/jobs.js';
import { replaceMenu, type VersionLimits } from './replace-menu.js';

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
