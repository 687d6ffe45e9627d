import type { IncomingMessage } from 'node:http';
import { Forbidden } from '../domain/errors.js';

/**
 * Refuses what another site has set off. Browsers say where a request comes from in Sec-Fetch-Site, but not over plain
 * HTTP; there they name the Origin of everything that may change something. What is left are reads over plain HTTP: they
 * carry a header that no other site's page can add without asking first, and is never allowed to.
 */
export function requireSameOrigin({ method = '', headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site === undefined && origin === undefined && !isRead(method)) throw refusal();
  const isOwn =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined
        ? hostOf(origin) === headers.host
        : headers['x-comanda-console'] === '1';
  if (!isOwn) throw refusal();
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function refusal(): Forbidden {
  return new Forbidden(
    'Only the console’s own page may do this; a proxy in between must pass Host on as it is',
  );
}
