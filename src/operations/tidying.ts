import { forgetOldSessions } from '../db/console-sessions.js';
import type { Database } from '../db/database.js';
import { forgetOldAnswers, forgetOldIntakeKeys } from '../db/idempotent-answers.js';
import { forgetOldDeliveries, forgetRemovedEndpoints } from '../db/webhook-deliveries.js';
import { emptyDeletedStores } from './deletions.js';

/**
 * Forgets every Idempotency-Key of more than a day ago, the sessions of the console that are over and deliveries of
 * webhooks of more than 30 days ago, and removes what is left of deleted stores. Nobody's request waits for it or fails
 * with it: until it has come by, they are simply there for a little longer.
 */
export async function tidy(db: Database): Promise<void> {
  for (const forgetSome of [
    forgetOldAnswers,
    forgetOldIntakeKeys,
    forgetOldSessions,
    forgetOldDeliveries,
    forgetRemovedEndpoints,
  ]) {
    while (await forgetSome(db));
  }
  await emptyDeletedStores(db);
}
