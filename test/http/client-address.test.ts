import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createClientAddress } from '../../src/http/client-address.js';

const byDefault = loadConfig({}).trustedProxies;
const named = loadConfig({ COMANDA_TRUSTED_PROXIES: '10.0.0.2,172.16.0.0/12,fd00::/8' }).trustedProxies;
const from = (remoteAddress: string, forwarded?: string, proxies = byDefault) =>
  createClientAddress(proxies)({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

it.each([
  ['198.51.100.7', undefined, '198.51.100.7'],
  ['::ffff:198.51.100.7', undefined, '198.51.100.7'],
  // Whoever comes from outside can claim anything.
  ['198.51.100.7', '203.0.113.9', '198.51.100.7'],
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['127.0.0.1', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
  ['127.0.0.1', '203.0.113.9, 127.0.0.2', '203.0.113.9'],
  // So can a guest on the Wi-Fi, with a proxy and without.
  ['192.168.1.20', '203.0.113.9', '192.168.1.20'],
  ['fe80::1%eth0', '203.0.113.9', 'fe80:0:0:0::/64'],
  ['127.0.0.1', '203.0.113.9, 192.168.1.20', '192.168.1.20'],
  ['127.0.0.1', '192.168.1.20', '192.168.1.20'],
  ['127.0.0.1', 'unknown, ', '127.0.0.1'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  // Some proxies write a port, and brackets around an IPv6 address.
  ['127.0.0.1', '203.0.113.9:51442', '203.0.113.9'],
  ['127.0.0.1', '[2001:db8::1]', '2001:db8:0:0::/64'],
  ['127.0.0.1', '[2001:db8::1]:51442', '2001:db8:0:0::/64'],
  ['127.0.0.1', '203.0.113.9, [::ffff:127.0.0.2]:80', '203.0.113.9'],
  // Whatever stands before an entry that is no address may be made up.
  ['127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
  ['127.0.0.1', '203.0.113.9, nonsense, 127.0.0.2', '127.0.0.2'],
  ['127.0.0.1', '203.0.113.9, ', '127.0.0.1'],
  ['127.0.0.1', '203.0.113.9, [198.51.100.7', '127.0.0.1'],
  // One subscriber has more addresses than there are guests.
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['2001:DB8:1::6', undefined, '2001:db8:1:0::/64'],
  ['127.0.0.1', '2001:0db8::1', '2001:db8:0:0::/64'],
])('takes a request of %s, forwarded for %s, for one of %s', (peer, forwarded, expected) => {
  expect(from(peer, forwarded)).toBe(expected);
});

it.each([
  ['10.0.0.2', '203.0.113.9', '203.0.113.9'],
  ['172.18.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['fd00::5', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.3', '203.0.113.9', '10.0.0.3'],
  ['127.0.0.1', '203.0.113.9', '127.0.0.1'],
])('believes the named proxies alone: from %s, for %s, it is %s', (peer, forwarded, expected) => {
  expect(from(peer, forwarded, named)).toBe(expected);
});
