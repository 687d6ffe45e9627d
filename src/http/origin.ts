import type { IncomingMessage } from 'node:http';

/**
 * The address that the client used for the service, such as `https://orders.example`. The service itself speaks plain HTTP:
 * a proxy tells of TLS in X-Forwarded-Proto, and a browser in Origin.
 */
export function originOf({ headers }: IncomingMessage): string {
  const { host, origin, 'x-forwarded-proto': forwarded } = headers;
  if (host === undefined) return '';
  const isTls = forwarded === 'https' || origin === `https://${host}`;
  return `${isTls ? 'https' : 'http'}://${host}`;
}
