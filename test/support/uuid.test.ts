import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newUuidV7 } from '../../src/support/uuid.js';

it('is of version 7, variant 10, and begins with its millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (now) => {
      const id = newUuidV7(now);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
    }),
  );
});

it('meets no other of its millisecond', () => {
  expect(new Set(Array.from({ length: 20_000 }, () => newUuidV7(7))).size).toBe(20_000);
});

it('uses every random bit', () => {
  const bits = (id: string) => BigInt(`0x${id.replaceAll('-', '')}`);
  const made = Array.from({ length: 200 }, () => bits(newUuidV7(0)));
  const everSet = made.reduce((seen, id) => seen | id, 0n);
  const alwaysSet = made.reduce((seen, id) => seen & id);
  expect(everSet.toString(16)).toBe('7fffbfffffffffffffff');
  expect(alwaysSet.toString(16)).toBe('70008000000000000000');
});
