import type { IncomingMessage } from 'node:http';
import { coverOf, type Subnet } from '../support/subnet.js';

/** The address under which people reach the service, such as `https://orders.example`, for links that are handed out. */
export type PublicOrigin = (request: IncomingMessage) => string;

/**
 * Anyone can write anything into Host: without a public URL it is believed from this machine and the trusted proxies alone.
 * Others are given the address at which their connection arrived.
 */
export function createPublicOrigin(publicUrl: string | undefined, proxies: readonly Subnet[]): PublicOrigin {
  const isTrusted = coverOf(proxies);
  return (request) => {
    if (publicUrl !== undefined) return publicUrl;
    const { remoteAddress = '', localAddress = '', localPort } = request.socket;
    if (isTrusted(remoteAddress)) return statedOrigin(request);
    const host =
      localAddress.includes(':') && !/^::ffff:/i.test(localAddress) ? `[${localAddress}]` : localAddress;
    return `http://${host.replace(/^::ffff:/i, '')}:${localPort ?? ''}`;
  };
}

/** The service itself speaks plain HTTP: a proxy tells of TLS in X-Forwarded-Proto, and a browser in Origin. */
function statedOrigin({ headers }: IncomingMessage): string {
  const { host, origin, 'x-forwarded-proto': forwarded } = headers;
  if (host === undefined) return '';
  const isTls = forwarded === 'https' || origin === `https://${host}`;
  return `${isTls ? 'https' : 'http'}://${host}`;
}
