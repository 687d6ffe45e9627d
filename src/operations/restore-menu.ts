import type { Transaction } from '../db/database.js';
import { copyVersion, listVersions, lockMenu, readFacts, type VersionSummary } from '../db/menu-versions.js';
import { NotFound } from '../domain/errors.js';
import type { TellEvents } from '../domain/event/event.js';
import { replaceMenu, type VersionLimits } from './replace-menu.js';

export interface RestoreRequest {
  readonly storeKey: number;
  readonly keyId: string;
  readonly version: number;
  readonly limits: VersionLimits;
  readonly tell: TellEvents;
}

/** Publishes an earlier version again; ids never move, so its own are still right. */
export async function restoreMenu(
  tx: Transaction,
  { storeKey, keyId, version, limits, tell }: RestoreRequest,
): Promise<VersionSummary> {
  await lockMenu(tx, storeKey);
  const facts = await readFacts(tx, storeKey, version);
  if (facts === undefined) throw new NotFound('Menu version');
  const { state } = await replaceMenu(tx, {
    storeKey,
    facts,
    keyId,
    restoredFrom: version,
    tell,
    limits,
    findIds: () => Promise.resolve(facts.ids),
    insert: (to) => copyVersion(tx, { storeKey, from: version, to, keyId }),
  });
  const [summary] = await listVersions(tx, storeKey, { before: state.version + 1, limit: 1 });
  if (summary === undefined) throw new NotFound('Menu version');
  return summary;
}
