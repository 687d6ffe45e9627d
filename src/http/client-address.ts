import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { coverOf, type Subnet } from '../support/subnet.js';

/**
 * The address of the client. Anyone can send X-Forwarded-For: it is believed from the proxies alone, from its end up to the
 * first address that is none of them, or to the first entry that is no address.
 */
export function createClientAddress(proxies: readonly Subnet[]): (request: IncomingMessage) => string {
  const isProxy = coverOf(proxies);
  return ({ socket, headers }) => {
    let client = plain(socket.remoteAddress ?? '');
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',');
    while (isIP(client) !== 0 && isProxy(client)) {
      const before = plain(withoutPort(forwarded.pop() ?? ''));
      if (isIP(before) === 0) break;
      client = before;
    }
    return toSubscriber(client);
  };
}

/** Some proxies write a port behind the address, and an IPv6 address in brackets. */
function withoutPort(entry: string): string {
  const text = entry.trim();
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Without a zone, and without the mapping in which a socket for both families tells an IPv4 address. */
function plain(address: string): string {
  const [whole = ''] = address.split('%');
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(whole)?.[1] ?? whole;
}

const GROUPS = 8;
/** What a provider gives to one subscriber, who then has addresses without number. */
const SUBSCRIBER_GROUPS = 4;

function toSubscriber(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const [first, last] = [head, tail ?? ''].map((text) => text.split(':').filter((group) => group !== ''));
  const known = [...(first ?? []), ...(last ?? [])];
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, GROUPS - known.length)).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, SUBSCRIBER_GROUPS).join(':').toLowerCase()}::/64`;
}
