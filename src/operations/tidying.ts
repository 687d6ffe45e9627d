import { forgetOldSessions } from '../db/console-sessions.js';
import type { Database } from '../db/database.js';
import { forgetOldAnswers, forgetOldIntakeKeys } from '../db/idempotent-answers.js';
import { emptyDeletedStores } from './deletions.js';

/**
 * Forgets every Idempotency-Key of more than a day ago and the sessions of the console that are over, and removes what is
 * left of deleted stores. Nobody's request waits for it or fails with it: until it has come by, they are simply there for a
 * little longer.
 */
export async function tidy(db: Database): Promise<void> {
  for (const forgetSome of [forgetOldAnswers, forgetOldIntakeKeys, forgetOldSessions]) {
    while (await forgetSome(db));
  }
  await emptyDeletedStores(db);
}
