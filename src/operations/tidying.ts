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
  const oldest = new Date(Date.now() - eventDays * DAY_MS);
  const steps = [
    () => forgetOldAnswers(db),
    () => forgetOldIntakeKeys(db),
    () => forgetOldSessions(db),
    () => forgetOldDeliveries(db),
    () => forgetRemovedEndpoints(db),
    () => pruneEvents(db, oldest),
    () => emptyDeletedStores(db),
  ];
  const failures: unknown[] = [];
  for (const forgetSome of steps) {
    // One that cannot be done keeps none of the others from it.
    try {
      while ((await forgetSome()) === true);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not all that is over could be removed');
}

/** Tidies now and then, until what it returns is called. */
export function tidyRegularly(
  db: Database,
  eventDays: number,
  onFailure: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const begin = () => {
    if (hasEnded) return;
    timer = setTimeout(() => void tidy(db, eventDays).catch(onFailure).finally(begin), TIDY_EVERY_MS).unref();
  };
  begin();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}
