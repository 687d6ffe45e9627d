import { ask, type Answer, type Ask } from '../harness/client.js';
import type { Service } from '../harness/service.js';

export type Proof = { readonly key: string } | { readonly code: string };

/** Signs in as the console's page does. */
export function signIn(
  service: Service,
  proof: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(`${service.url}/console/api/session`, {
    method: 'POST',
    body: proof,
    headers: { origin: service.url, ...headers },
  });
}

/** What a browser would send back of the cookies it was given. */
export function cookieOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}

export async function openSession(service: Service, key: string): Promise<string> {
  return cookieOf(await signIn(service, { key }));
}

/** One of the console's own calls, set off by a person by default. */
export function call<T = unknown>(
  service: Service,
  cookie: string,
  path: string,
  { headers = {}, ...more }: Ask = {},
): Promise<Answer<T>> {
  return ask<T>(`${service.url}/console/api${path}`, {
    ...more,
    headers: { 'sec-fetch-site': 'same-origin', 'x-comanda-person': '1', cookie, ...headers },
  });
}
