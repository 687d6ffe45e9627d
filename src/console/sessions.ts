import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createSessionLookup, markKeysUsed, type StoreReference } from '../access/api-key-lookup.sql.js';
import { markSessionsUsed } from '../access/sessions.sql.js';
import type { Database } from '../postgres/database.js';
import { Unauthenticated, Forbidden } from '../support/errors.js';
import { hashSecret } from '../access/secret.js';
import {
  createUseNotes,
  GIVEN_OPERATOR,
  type Authenticate,
  type CheckKey,
} from '../access/authentication.js';
import type { RawHeaders } from '../http/response.js';

const TOKEN = /^[\w-]{43}$/;

/** Finds the session of a token. Only requests made by a person extend it. */
export type CheckSession = (
  token: string,
  store: StoreReference | undefined,
  by: 'person' | 'page',
) => ReturnType<CheckKey>;

/** Whether a hash is that of the operator key from the configuration, which is never in the database. */
export function createGivenCheck(givenOperatorKey: string | undefined): (keyHash: Buffer) => boolean {
  const given = givenOperatorKey === undefined ? undefined : hashSecret(givenOperatorKey);
  return (keyHash) => given !== undefined && timingSafeEqual(keyHash, given);
}

/** The key behind a session is looked at each time, as with the key itself. */
export function createSessionCheck(
  db: Database,
  keyChecks: Database,
  isGiven: (keyHash: Buffer) => boolean,
): CheckSession {
  const readSession = createSessionLookup(keyChecks);
  const noteSession = createUseNotes((ids) =>
    markSessionsUsed(
      db,
      ids.map((id) => Buffer.from(id, 'hex')),
    ),
  );
  const noteKey = createUseNotes((ids) => markKeysUsed(db, ids));

  return async (token, named, by) => {
    if (!TOKEN.test(token)) throw new Unauthenticated('session over');
    const { keyHash, store, isLastUseOld, ...found } = await readSession({ secret: token, store: named });
    const isOperator = keyHash !== undefined && isGiven(Buffer.from(keyHash, 'hex'));
    const principal = isOperator ? GIVEN_OPERATOR : found.principal;
    if (principal === undefined) throw new Unauthenticated('session over');
    if (isLastUseOld === true && by === 'person') {
      noteSession(hashSecret(token).toString('hex'));
      if (!isOperator) noteKey(principal.id);
    }
    return { principal, store };
  };
}

/** Lets in the console's own page with the cookie of a session, and nothing else. */
export function bySessionCookie(checkSession: CheckSession): Authenticate {
  // A stream asks again and again on behalf of one request.
  const seen = new WeakSet<IncomingMessage>();
  return async (request, store) => {
    requireSameOrigin(request);
    const token = readSessionCookie(request);
    if (token === undefined) throw new Unauthenticated('missing');
    const by = seen.has(request) ? 'page' : setOffBy(request);
    seen.add(request);
    return checkSession(token, store, by);
  };
}

/** The page says whether someone has touched it lately; what an open tab does by itself is not said to be theirs. */
export function setOffBy({ headers }: IncomingMessage): 'person' | 'page' {
  return headers['x-comanda-person'] === '1' ? 'person' : 'page';
}

const PLAIN = 'comanda_session';
/** A browser takes a cookie of this name only over TLS, from this very host, for all of it. */
const SECURE = `__Host-${PLAIN}`;

/**
 * The token of the session that a request belongs to. A plain cookie may have been planted by anyone between the browser
 * and a plain page of this host, or by a neighbouring host: over TLS it counts for nothing.
 */
export function readSessionCookie(request: IncomingMessage): string | undefined {
  const cookies = new Map(
    (request.headers.cookie ?? '').split(';').map((pair) => {
      const index = pair.indexOf('=');
      return [pair.slice(0, index).trim(), pair.slice(index + 1).trim()];
    }),
  );
  return cookies.get(SECURE) ?? (isOverTls(request) ? undefined : cookies.get(PLAIN));
}

export function setSessionCookie(request: IncomingMessage, token: string): RawHeaders {
  return ['set-cookie', isOverTls(request) ? secure(token) : plain(token)];
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

/**
 * The service itself speaks plain HTTP. That the browser speaks TLS to a proxy in front of it is told by the Origin, which
 * every browser sends when it signs in, by the proxy, or by Sec-Fetch-Site: over plain HTTP browsers send it to the
 * machine itself alone.
 */
function isOverTls({ headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers;
  const scheme = String(headers['x-forwarded-proto'] ?? '').toLowerCase();
  if (origin?.startsWith('https:') === true || scheme.startsWith('https')) return true;
  return headers['sec-fetch-site'] !== undefined && origin === undefined && !LOOPBACK.test(host);
}

export function clearSessionCookies(): RawHeaders {
  return ['set-cookie', `${plain('')}; Max-Age=0`, 'set-cookie', `${secure('')}; Max-Age=0`];
}

function plain(token: string): string {
  return `${PLAIN}=${token}; Path=/console/api; HttpOnly; SameSite=Strict`;
}

function secure(token: string): string {
  return `${SECURE}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict`;
}

/**
 * Refuses what another site has set off. Browsers say where a request comes from in Sec-Fetch-Site, but not over plain
 * HTTP; there they name the Origin of everything that may change something. What is left are reads over plain HTTP: they
 * carry a header that no other site's page can add without asking first, and is never allowed to.
 */
export function requireSameOrigin({ method = '', headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  const { origin, host } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwn =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined
        ? URL.canParse(origin) && new URL(origin).host === host
        : isRead && headers['x-comanda-console'] === '1';
  if (!isOwn)
    throw new Forbidden(
      'Only the console may do this. A proxy in front must pass the Host header on unchanged.',
    );
}
