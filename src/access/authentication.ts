import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  createApiKeyLookup,
  markKeysUsed,
  type RequestedStore,
  type StoreReference,
} from './api-key-lookup.sql.js';
import { CONNECTIONS } from '../support/bounds.js';
import type { Database } from '../postgres/database.js';
import { NotFound, Unauthenticated } from '../support/errors.js';
import { hashSecret, isWellFormedSecret } from './secret.js';
import { isMoving } from './moving.js';
import type { Principal } from './principal.js';

export interface Caller {
  readonly principal: Principal;
  readonly store: RequestedStore | undefined;
  /** What was read to find out who asks, for a route that needs it too. */
  readonly resource?: unknown;
}

/**
 * Looks up the key of a request and, in the same query, the store it names; rejects with Unauthenticated. What stands for a
 * key may also be in the path.
 */
export type Authenticate = (
  request: IncomingMessage,
  store: StoreReference | undefined,
  params: Readonly<Record<string, string>>,
) => Promise<Caller>;

/** Authenticates a secret that was already read from the request. */
export type CheckKey = (secret: string, store: StoreReference | undefined) => Promise<Caller>;

/** The operator key from the configuration, which is never in the database. */
export const GIVEN_OPERATOR: Principal = { kind: 'operator', id: 'operator' };

/** Shorter than the silence limit of the lookup, so that a statement timeout is not mistaken for a dead connection. */
const KEY_CHECK_MS = 2_500;

/** A separate pool for keys and sessions, so that lookups never wait for other work. */
export function openKeyChecks(db: Database): Database {
  return db.sidePool({ poolSize: CONNECTIONS.keys, statementTimeoutMs: KEY_CHECK_MS });
}

/** Key and store are looked up for every request, so that a revoked key or a new menu takes effect with the next one. */
export function createKeyCheck(
  db: Database,
  keyChecks: Database,
  givenOperatorKey: string | undefined,
): CheckKey {
  const lookUpKey = createApiKeyLookup(keyChecks);
  const noteUse = createUseNotes((ids) => markKeysUsed(db, ids));
  const isGiven = givenOperatorKey === undefined ? () => false : createComparison(givenOperatorKey);

  return async (secret, named) => {
    const isOperator = isGiven(secret);
    if (isOperator && named === undefined) return { principal: GIVEN_OPERATOR, store: undefined };
    if (!isOperator && !isWellFormedSecret(secret)) throw new Unauthenticated('invalid');
    const { principal, store, isLastUseOld } = await lookUpKey({ secret, store: named });
    if (isOperator) return { principal: GIVEN_OPERATOR, store };
    if (principal === undefined) throw new Unauthenticated('invalid');
    // The row of a moving key stays as it is being copied.
    if (isLastUseOld === true && !isMoving(principal)) noteUse(principal.id);
    return { principal, store };
  };
}

/** Authenticates by the key header. Rejections are delayed to slow down guessing. */
export function byKeyHeader(checkKey: CheckKey, delayRefusal: DelayRefusal): Authenticate {
  const check = async (request: IncomingMessage, store: StoreReference | undefined) =>
    checkKey(readKeyHeader(request), store);
  return (request, store) => check(request, store).catch((error: unknown) => delayRefusal(request, error));
}

const BEARER = /^bearer +(\S+)$/i;

/** As a header of its own, or as a bearer token, which is all that some programs can send. */
export function readKeyOrBearer(request: IncomingMessage): string {
  const { authorization = '', 'x-api-key': key } = request.headers;
  return (key === undefined ? BEARER.exec(authorization)?.[1] : undefined) ?? readKeyHeader(request);
}

/** Compares in constant time for texts of the same length. */
export function createComparison(expected: string): (text: string | undefined) => boolean {
  const hash = hashSecret(expected);
  return (text) => text?.length === expected.length && timingSafeEqual(hashSecret(text), hash);
}

/** The secret of a request; throws when there is none, or more than one. */
function readKeyHeader(request: IncomingMessage): string {
  const value = request.headers['x-api-key'];
  if (value === undefined || value === '') throw new Unauthenticated('missing');
  // Node joins a repeated header with a comma; a request with two keys is rejected.
  if (Array.isArray(value) || (value.includes(',') && countHeader(request, 'x-api-key') > 1)) {
    throw new Unauthenticated('invalid');
  }
  return value;
}

function countHeader(request: IncomingMessage, name: string): number {
  return request.rawHeaders.filter((header, i) => i % 2 === 0 && header.toLowerCase() === name).length;
}

const NOTE_AFTER_MS = 200;

/** Records last use in the background, for many ids at once; no request waits for it. */
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

/** Rejects with the error of a failed sign-in, after a delay if it may have been a guess. */
export type DelayRefusal = (request: IncomingMessage, error: unknown) => Promise<never>;

/** Reasons that may come from guessing, unlike a missing key or an ended session. */
const GUESSES: ReadonlySet<Unauthenticated['reason']> = new Set(['invalid', 'code used']);

/** A NotFound before authentication means that a secret in the path is unknown. */
function mayBeGuess(error: unknown): boolean {
  return error instanceof Unauthenticated ? GUESSES.has(error.reason) : error instanceof NotFound;
}

const FREE_GUESSES = 20;
const MS_PER_GUESS = 100;
const MAX_DELAY_MS = 5_000;
/** Number of addresses remembered; the least recently seen is dropped first. */
const MAX_REMEMBERED = 10_000;

/**
 * Delays the rejection of invalid keys: the first few from an address are rejected at once, then one every 100 ms. Valid keys are
 * never delayed, so that clients behind a shared proxy do not notice.
 */
export function createRefusalDelay(isOn: boolean): DelayRefusal {
  const lastRefusals = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const nextDelayMs = (address: string) => {
    const now = performance.now();
    const earliest = now - FREE_GUESSES * MS_PER_GUESS;
    const next = Math.max(lastRefusals.get(address) ?? 0, earliest) + MS_PER_GUESS;
    const delayMs = Math.min(Math.max(0, next - now), MAX_DELAY_MS);
    lastRefusals.set(address, Math.min(next, now + MAX_DELAY_MS));
    return delayMs;
  };
  return async (request, error) => {
    if (isOn && mayBeGuess(error)) await wait(nextDelayMs(request.socket.remoteAddress ?? ''));
    throw error;
  };
}
