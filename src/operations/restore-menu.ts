import type { Transaction } from '../db/database.js';
import { readPublication } from '../db/menu-contents.js';
import { listVersions, type VersionSummary } from '../db/menu-versions.js';
import { NotFound } from '../domain/errors.js';
import { publishMenu, type PublishContext } from './publish-menu.js';

/** Publishes an earlier version again; ids never move, so its own are still right. */
export async function restoreMenu(
  context: PublishContext,
  tx: Transaction,
  {
    storeKey,
    keyId,
    version,
  }: { readonly storeKey: number; readonly keyId: string; readonly version: number },
): Promise<VersionSummary> {
  const publication = await readPublication(tx, storeKey, version);
  if (publication === undefined) throw new NotFound('Menu version');
  const { state } = await publishMenu(context, tx, { storeKey, keyId, publication, restoredFrom: version });
  const [summary] = await listVersions(tx, storeKey, { before: state.version + 1, limit: 1 });
  if (summary === undefined) throw new NotFound('Menu version');
  return summary;
}
