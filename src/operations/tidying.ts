import { forgetOldSessions } from '../db/console-sessions.js';
import type { Database } from '../db/database.js';
import { forgetOldAnswers, forgetOldIntakeKeys } from '../db/idempotent-answers.js';
import { pruneEvents } from '../db/prune-events.js';
import { forgetOldDeliveries, forgetRemovedEndpoints } from '../db/webhooks/deliveries.js';
import { emptyDeletedStores } from './deletions.js';

const DAY_MS = 86_400_000;

/**
 * Forgets every Idempotency-Key of more than a day ago, the sessions of the console that are over, deliveries of
 * webhooks of more than 30 days ago and events that are too old, and removes what is left of deleted stores. Nobody's request waits for it or fails
 * with it: until it has come by, they are simply there for a little longer.
 */
export async function tidy(db: Database, eventDays: number): Promise<void> {
  for (const forgetSome of [
    forgetOldAnswers,
    forgetOldIntakeKeys,
    forgetOldSessions,
    forgetOldDeliveries,
    forgetRemovedEndpoints,
  ]) {
    while (await forgetSome(db));
  }
  const oldest = new Date(Date.now() - eventDays * DAY_MS);
  while (await pruneEvents(db, oldest));
  await emptyDeletedStores(db);
}
