import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The address of the client. A proxy in front of the service is on this machine or in its private network: from there alone
 * the addresses in X-Forwarded-For are believed, from the end up to the first one that is no such proxy.
 */
export function createClientAddress(): (request: IncomingMessage) => string {
  const nearby = new BlockList();
  for (const [network, bits] of NEARBY_IPV4) nearby.addSubnet(network, bits);
  for (const [network, bits] of NEARBY_IPV6) nearby.addSubnet(network, bits, 'ipv6');
  const isNearby = (address: string) =>
    isIPv4(address) ? nearby.check(address) : isIPv6(address) && nearby.check(address, 'ipv6');

  return ({ socket, headers }) => {
    const peer = withoutMapping(socket.remoteAddress ?? '');
    if (!isNearby(peer)) return toSubscriber(peer);
    const told = [headers['x-forwarded-for'] ?? []]
      .flat()
      .join()
      .split(',')
      .map((text) => withoutMapping(text.trim()))
      .filter((text) => isIPv4(text) || isIPv6(text));
    return toSubscriber(told.findLast((address) => !isNearby(address)) ?? told.at(-1) ?? peer);
  };
}

const NEARBY_IPV4 = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const;
const NEARBY_IPV6 = [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const;

/** An IPv4 address as a socket for both families tells it. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address;
}

const GROUPS = 8;
/** What a provider gives to one subscriber, who then has addresses without number. */
const SUBSCRIBER_GROUPS = 4;

function toSubscriber(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const [first, last] = [head, tail ?? ''].map((text) => text.split(':').filter((group) => group !== ''));
  const known = [...(first ?? []), ...(last ?? [])];
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, GROUPS - known.length)).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, SUBSCRIBER_GROUPS).join(':').toLowerCase()}::/64`;
}
