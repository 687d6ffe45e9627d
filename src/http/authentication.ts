import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createCallerReader, type RequestedStore, type StoreReference } from '../db/callers.js';
import type { Database } from '../db/database.js';
import { markKeysUsed } from '../db/keys.js';
import { Unauthenticated } from '../domain/errors.js';
import { hashSecret, isWellFormedSecret } from '../domain/key/secret.js';
import type { Principal } from '../domain/key/principal.js';
import type { DelayRefusal } from './delay-wrong-keys.js';

export interface Caller {
  readonly principal: Principal;
  readonly store: RequestedStore | undefined;
}

/** Finds out whose key a request carries and, in the same query, which store is named; rejects with Unauthenticated. */
export type Authenticate = (request: IncomingMessage, store: StoreReference | undefined) => Promise<Caller>;

/** The same for a key that has been read already. */
export type CheckKey = (secret: string, store: StoreReference | undefined) => Promise<Caller>;

/** The key that the installation was given from outside; it is never in the database. */
export const GIVEN_OPERATOR: Principal = { kind: 'operator', id: 'operator' };

/** The connections that checks of keys and sessions have to themselves: one statement at a time checks all that have arrived. */
export const KEY_CHECKS = 1;
/** Less than callers are waited for: what the server breaks off by itself is no silence of the connection. */
const KEY_CHECK_MS = 2_500;

/** Where keys and sessions are looked up, so that this never waits for other work. */
export function openKeyChecks(db: Database): Database {
  return db.sidePool({ poolSize: KEY_CHECKS, statementTimeoutMs: KEY_CHECK_MS });
}

/** Key and store are asked fresh for every request: a revoked key or a new menu shows from the very next one. */
export function createKeyCheck(
  db: Database,
  keyChecks: Database,
  givenOperatorKey: string | undefined,
): CheckKey {
  const readCaller = createCallerReader(keyChecks);
  const noteUse = createUseNotes((ids) => markKeysUsed(db, ids));
  const isGiven = givenOperatorKey === undefined ? () => false : createComparison(givenOperatorKey);

  return async (secret, named) => {
    const isOperator = isGiven(secret);
    if (isOperator && named === undefined) return { principal: GIVEN_OPERATOR, store: undefined };
    if (!isOperator && !isWellFormedSecret(secret)) throw new Unauthenticated('invalid');
    const { principal, store, isLastUseOld } = await readCaller({ secret, store: named });
    if (isOperator) return { principal: GIVEN_OPERATOR, store };
    if (principal === undefined) throw new Unauthenticated('invalid');
    if (isLastUseOld) noteUse(principal.id);
    return { principal, store };
  };
}

/** By the key in the header; a refusal comes with the delay that slows guesses. */
export function byKeyHeader(checkKey: CheckKey, delayRefusal: DelayRefusal): Authenticate {
  const check: Authenticate = async (request, store) => checkKey(readKeyHeader(request), store);
  return (request, store) => check(request, store).catch((error: unknown) => delayRefusal(request, error));
}

/** Takes the same time for every text of the same length. */
export function createComparison(expected: string): (text: string | undefined) => boolean {
  const hash = hashSecret(expected);
  return (text) => text?.length === expected.length && timingSafeEqual(hashSecret(text), hash);
}

/** The secret that a request carries; throws when there is none, or more than one. */
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

/** Writes times of last use a moment later and for all ids at once; a request never waits for it. */
export function createUseNotes(write: (ids: readonly string[]) => Promise<void>): (id: string) => void {
  const noted = new Set<string>();
  const writeAll = () => {
    const ids = [...noted];
    noted.clear();
    write(ids).catch(() => undefined); // Written at a later use instead.
  };
  return (id) => {
    if (noted.size === 0) setTimeout(writeAll, NOTE_AFTER_MS).unref();
    noted.add(id);
  };
}
