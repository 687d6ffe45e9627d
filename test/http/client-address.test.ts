import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createClientAddress } from '../../src/http/client-address.js';

const addressOf = createClientAddress();
const from = (remoteAddress: string, forwarded?: string) =>
  addressOf({
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
  ['172.18.0.3', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.2', '203.0.113.9, 10.0.0.1', '203.0.113.9'],
  ['127.0.0.1', '192.168.1.20', '192.168.1.20'],
  ['127.0.0.1', 'unknown, ', '127.0.0.1'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  // One subscriber has more addresses than there are guests.
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['2001:DB8:1::6', undefined, '2001:db8:1:0::/64'],
  ['127.0.0.1', '2001:0db8::1', '2001:db8:0:0::/64'],
])('takes a request of %s, forwarded for %s, for one of %s', (peer, forwarded, expected) => {
  expect(from(peer, forwarded)).toBe(expected);
});
