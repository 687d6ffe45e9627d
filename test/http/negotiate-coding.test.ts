import { expect, it } from 'vitest';
import { negotiateCoding } from '../../src/http/response.js';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['gzip;q=nonsense', 'identity'],
  ['deflate, zstd', 'identity'],
] as const)('negotiates %j as %s', (header, expected) => {
  expect(negotiateCoding(header)).toBe(expected);
});

it('keeps to what is offered', () => {
  expect(negotiateCoding('gzip, br', ['gzip'])).toBe('gzip');
  expect(negotiateCoding('br', ['gzip'])).toBe('identity');
});
