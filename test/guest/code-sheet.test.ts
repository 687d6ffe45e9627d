import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeSheet, expandLabels } from '../../src/guest/code-sheet.js';
import { newCode } from '../../src/access/code.js';
import { hashSecret } from '../../src/access/secret.js';
import { matchesToken, orderOfToken, tokenOf } from '../../src/guest/secrets.js';
import { createOrderIds } from '../../src/orders/id.js';

it.each([
  ['Table {1..3}', ['Table 1', 'Table 2', 'Table 3']],
  ['{9..10}. Stock', ['9. Stock', '10. Stock']],
  ['Terrace', ['Terrace']],
  ['Table {3..1}', []],
  ['Table {1..1001}', []],
])('%s is %o', (text, labels) => {
  expect(expandLabels(text)).toEqual(labels);
});

it('is well-formed whatever the labels are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 100 }), { maxLength: 30 }), (labels) => {
      const svg = codeSheet(labels.map((label) => ({ label, url: 'https://orders.example/order/x' })));
      expect(svg.match(/data-label=/g)?.length ?? 0).toBe(labels.length);
      expect(svg.replace(/&(amp|lt|gt|quot);/g, '').replace(/<[^<>]*>/g, '')).not.toMatch(/[<>&]/);
    }),
    { numRuns: 30 },
  );
});

it('makes codes of 128 bits, and tokens that lead to their order alone', () => {
  const ids = createOrderIds();
  const seed = Buffer.alloc(32, 1);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0x7fff_ffff }), fc.string(), (storeKey, key) => {
      const id = ids(storeKey);
      const token = tokenOf(id, seed, key);
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(orderOfToken(token)).toEqual({ orderId: id, storeKey });
      expect(matchesToken(token, hashSecret(token))).toBe(true);
      expect(matchesToken(tokenOf(id, Buffer.alloc(32), key), hashSecret(token))).toBe(false);
      expect(matchesToken(tokenOf(id, seed, `${key}x`), hashSecret(token))).toBe(false);
    }),
  );
  const codes = Array.from({ length: 1000 }, newCode);
  expect(new Set(codes).size).toBe(1000);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{26}$/);
});
