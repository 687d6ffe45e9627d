import { timingSafeEqual } from 'node:crypto';
import { createSessionReader } from '../db/callers.js';
import { markSessionsUsed } from '../db/console-sessions.js';
import type { Database } from '../db/database.js';
import { markKeysUsed } from '../db/keys.js';
import { Unauthenticated } from '../domain/errors.js';
import { hashSecret } from '../domain/key/secret.js';
import { createUseNotes, GIVEN_OPERATOR, type Authenticate, type CheckKey } from '../http/authentication.js';
import { requireSameOrigin } from './same-origin.js';
import { readSessionCookie } from './session-cookie.js';

const TOKEN = /^[\w-]{43}$/;

/** Finds out whose session a token stands for; the key behind it is looked at each time, as with the key itself. */
export function createSessionCheck(
  db: Database,
  keyChecks: Database,
  givenOperatorKey: string | undefined,
): CheckKey {
  const readSession = createSessionReader(keyChecks);
  const noteSession = createUseNotes((ids) =>
    markSessionsUsed(
      db,
      ids.map((id) => Buffer.from(id, 'hex')),
    ),
  );
  const noteKey = createUseNotes((ids) => markKeysUsed(db, ids));
  const givenHash = givenOperatorKey === undefined ? undefined : hashSecret(givenOperatorKey);

  return async (token, named) => {
    if (!TOKEN.test(token)) throw new Unauthenticated('session over');
    const {
      principal: found,
      keyHash,
      store,
      isLastUseOld,
    } = await readSession({ secret: token, store: named });
    const isGiven = givenHash !== undefined && keyHash !== undefined && timingSafeEqual(keyHash, givenHash);
    const principal = isGiven ? GIVEN_OPERATOR : found;
    if (principal === undefined) throw new Unauthenticated('session over');
    if (isLastUseOld) noteSession(hashSecret(token).toString('hex'));
    if (isLastUseOld && !isGiven) noteKey(principal.id);
    return { principal, store };
  };
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
