import type { IncomingMessage } from 'node:http';
import type { RawHeaders } from '../http/answer.js';

const PLAIN = 'comanda_session';
/** A browser takes a cookie of this name only over TLS, from this very host, for all of it. */
const SECURE = `__Host-${PLAIN}`;

/** The token of the session that a request belongs to. */
export function readSessionCookie({ headers }: IncomingMessage): string | undefined {
  const cookies = new Map(
    (headers.cookie ?? '').split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
  return cookies.get(SECURE) ?? cookies.get(PLAIN);
}

/**
 * The service itself speaks plain HTTP; whether the browser speaks TLS to a proxy in front of it is told by the Origin,
 * which every browser sends when it signs in.
 */
export function setSessionCookie({ headers: { origin } }: IncomingMessage, token: string): RawHeaders {
  return ['set-cookie', origin?.startsWith('https:') === true ? secure(token) : plain(token)];
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
