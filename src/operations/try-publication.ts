import type { Database } from '../db/database.js';
import { readStockMarks } from '../db/menu-marks.js';
import { largestTree } from '../domain/menu/tree-limit.js';
import { publishMenu, type PublishContext, type PublishRequest } from './publish-menu.js';

/**
 * Refuses what publishing would refuse, and changes nothing. Whether a large tree fits hangs on the ids of its entities,
 * so one that may not is published, and taken back.
 */
export async function tryPublication(
  db: Database,
  context: PublishContext,
  request: PublishRequest,
): Promise<void> {
  const { treeBytes, treeEntities } = request.publication;
  const { longestPrepType } = await readStockMarks(db, request.storeKey);
  if (largestTree(treeBytes, treeEntities, longestPrepType) <= context.mostTreeBytes) return;
  const publishAndTakeBack = db.transaction(async (tx) => {
    await publishMenu(context, tx, request);
    throw new TakenBack();
  });
  await publishAndTakeBack.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
}

class TakenBack extends Error {}
