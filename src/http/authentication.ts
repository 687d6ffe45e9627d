import type { IncomingMessage } from 'node:http';
import { createAccessCheck, type StoreAccess } from '../db/access.js';
import type { Database } from '../db/database.js';
import { markKeysUsed } from '../db/keys.js';
import { Unauthenticated } from '../domain/errors.js';
import { hashSecret, isWellFormedSecret } from '../domain/key/secret.js';
import type { Principal } from '../domain/key/principal.js';

interface Visitor {
  readonly principal: Principal;
  readonly store: StoreAccess | undefined;
}

/** Finds out who sends a request and, in the same query, which store it names. */
export type Authenticate = (request: IncomingMessage, storeId: string | undefined) => Promise<Visitor>;

/** The key that the installation was given from outside; it is never in the database. */
const GIVEN_OPERATOR: Principal = { kind: 'operator', id: 'operator' };

export function createAuthentication(db: Database, givenOperatorKey: string | undefined): Authenticate {
  const checkAccess = createAccessCheck(db);
  const noteUse = createUseNotes(db);
  const givenHash = givenOperatorKey === undefined ? undefined : hashSecret(givenOperatorKey);

  return async (request, storeId) => {
    const secret = readKeyHeader(request);
    const secretHash = hashSecret(secret);
    const isGiven = givenHash?.equals(secretHash) ?? false;
    if (!isGiven && !isWellFormedSecret(secret)) throw new Unauthenticated('invalid');
    if (isGiven && storeId === undefined) return { principal: GIVEN_OPERATOR, store: undefined };
    const access = await checkAccess({ secretHash, storeId });
    const principal = isGiven ? GIVEN_OPERATOR : access.principal;
    if (principal === undefined) throw new Unauthenticated('invalid');
    if (access.isUseNews && !isGiven) noteUse(principal.id);
    return { principal, store: access.store };
  };
}

function readKeyHeader(request: IncomingMessage): string {
  const value = request.headers['x-api-key'];
  if (value === undefined || value === '') throw new Unauthenticated('missing');
  // Node joins a repeated header with a comma; which of the two was meant is not ours to guess.
  if (Array.isArray(value) || (value.includes(',') && countHeader(request, 'x-api-key') > 1)) {
    throw new Unauthenticated('invalid');
  }
  return value;
}

function countHeader(request: IncomingMessage, name: string): number {
  return request.rawHeaders.filter((header, at) => at % 2 === 0 && header.toLowerCase() === name).length;
}

const NOTE_AFTER_MS = 200;

/** Writes the time of last use a moment later and for all keys at once; a request never waits for it. */
function createUseNotes(db: Database): (keyId: string) => void {
  const noted = new Set<string>();
  const write = () => {
    const ids = [...noted];
    noted.clear();
    markKeysUsed(db, ids).catch(() => undefined); // The next use of the key is news again.
  };
  return (keyId) => {
    if (noted.size === 0) setTimeout(write, NOTE_AFTER_MS).unref();
    noted.add(keyId);
  };
}
