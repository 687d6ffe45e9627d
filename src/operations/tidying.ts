import type { Database } from '../db/database.js';
import { forgetOldAnswers, forgetOldIntakeKeys } from '../db/idempotent-answers.js';

/**
 * Forgets every Idempotency-Key of more than a day ago. Nobody's request waits for it or fails with it: until it has come
 * by, a key is simply known for a little longer.
 */
export async function tidy(db: Database): Promise<void> {
  for (const forgetSome of [forgetOldAnswers, forgetOldIntakeKeys]) {
    while (await forgetSome(db));
  }
}
