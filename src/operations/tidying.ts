import { forgetOldSessions } from '../db/console-sessions.js';
import type { Database } from '../db/database.js';
import { forgetOldAnswers, forgetOldIntakeKeys } from '../db/idempotent-answers.js';
import { pruneEvents } from '../db/prune-events.js';
import { forgetOldDeliveries, forgetRemovedEndpoints } from '../db/webhooks/deliveries.js';
import { emptyDeletedStores } from './deletions.js';

const DAY_MS = 86_400_000;
const TIDY_EVERY_MS = 10 * 60_000;

/**
 * Forgets every Idempotency-Key of more than a day ago, the sessions of the console that are over, deliveries of
 * webhooks of more than 30 days ago and events that are too old, and removes what is left of deleted stores. No request
 * waits for it or fails with it: what is over is only there for a little longer.
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

/** Tidies now and then, until what it returns is called. */
export function tidyRegularly(db: Database, eventDays: number): () => void {
  const timer = setInterval(() => void tidy(db, eventDays).catch(() => undefined), TIDY_EVERY_MS).unref();
  return () => clearInterval(timer);
}
