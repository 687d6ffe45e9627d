import { timingSafeEqual } from 'node:crypto';
import { identifyQuestion, readSessionCallers, type CallerQuestion } from '../db/callers.js';
import { createBatch } from '../db/batch.js';
import { markSessionsUsed } from '../db/console-sessions.js';
import type { Database } from '../db/database.js';
import { markKeysUsed } from '../db/keys.js';
import { Unauthenticated } from '../domain/errors.js';
import { hashSecret } from '../domain/key/secret.js';
import {
  createUseNotes,
  GIVEN_OPERATOR,
  type Authenticate,
  type Caller,
  type CheckKey,
} from '../http/authentication.js';
import { requireSameOrigin } from './same-origin.js';
import { readSessionCookie } from './session-cookie.js';

const TOKEN = /^[\w-]{43}$/;

/** Finds out whose session a token stands for; the key behind it is looked at each time, as with the key itself. */
export function createSessionCheck(db: Database, givenOperatorKey: string | undefined): CheckKey {
  const noteSession = createUseNotes((ids) =>
    markSessionsUsed(
      db,
      ids.map((id) => Buffer.from(id, 'hex')),
    ),
  );
  const noteKey = createUseNotes((ids) => markKeysUsed(db, ids));
  const givenHash = givenOperatorKey === undefined ? undefined : hashSecret(givenOperatorKey);

  const ask = createBatch<CallerQuestion, Caller>({
    identify: identifyQuestion,
    answerAtOnce: ({ secret }) => (TOKEN.test(secret) ? undefined : new Unauthenticated('session over')),
    run: async (questions) => {
      const callers = await readSessionCallers(db, questions);
      return callers.map(({ principal, keyHash, store, isLastUseOld }, at) => {
        const isGiven =
          givenHash !== undefined && keyHash !== undefined && timingSafeEqual(keyHash, givenHash);
        const caller = isGiven ? GIVEN_OPERATOR : principal;
        if (caller === undefined) return new Unauthenticated('session over');
        if (isLastUseOld) noteSession(hashSecret(questions[at]?.secret ?? '').toString('hex'));
        if (isLastUseOld && !isGiven) noteKey(caller.id);
        return { principal: caller, store };
      });
    },
  });

  return (token, store) => ask({ secret: token, store });
}

/** Lets in the console's own page with the cookie of a session, and nothing else. */
export function bySessionCookie(checkSession: CheckKey): Authenticate {
  return async (request, store) => {
    requireSameOrigin(request);
    const token = readSessionCookie(request);
    if (token === undefined) throw new Unauthenticated('missing');
    return checkSession(token, store);
  };
}
