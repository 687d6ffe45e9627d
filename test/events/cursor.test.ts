import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type Cursor } from '../../src/events/cursor.js';

const EPOCH = '0f8fad5b-d9cb-469f-a165-70867728950e';
const storeKey = fc.integer({ min: 1, max: 0x7fff_ffff });
const sequence = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const cursor: fc.Arbitrary<Cursor> = fc.oneof(
  fc.record({ of: fc.constant('store' as const), epoch: fc.uuid(), storeKey, sequence }),
  fc
    .uniqueArray(fc.tuple(storeKey, sequence), { selector: ([key]) => key, maxLength: 200 })
    .map((positions) => ({ of: 'all stores' as const, epoch: EPOCH, positions: new Map(positions) })),
);

describe('a cursor', () => {
  it('comes back as it went out', () => {
    fc.assert(
      fc.property(cursor, (given) => {
        const text = encodeCursor(given);
        expect(text).toMatch(/^[\w-]+$/);
        expect(decodeCursor(text)).toEqual(given);
      }),
    );
  });

  it('is nothing else when a character is changed, added or lost', () => {
    fc.assert(
      fc.property(
        cursor,
        fc.nat(),
        fc.constantFrom('A', 'z', '0', '9', '-', '_', '=', '+', '/', ' ', '\n', 'é'),
        (given, seed, character) => {
          const text = encodeCursor(given);
          const at = seed % text.length;
          const replaced = text.slice(0, at) + character + text.slice(at + 1);
          if (replaced !== text) expect(decodeCursor(replaced)).toBeUndefined();
          expect(decodeCursor(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
          expect(decodeCursor(`${text}${character}`)).toBeUndefined();
        },
      ),
    );
  });

  it('is no other text', () => {
    fc.assert(fc.property(fc.string(), (text) => decodeCursor(text) === undefined));
    for (const text of ['', 'now', '=', 'AAAA', 'A'.repeat(100_000), 'eyJhIjoxfQ'])
      expect(decodeCursor(text)).toBeUndefined();
  });

  it('stays short for two hundred stores', () => {
    const positions = new Map(Array.from({ length: 200 }, (_, i) => [i + 1_000, 1_000_000 + i]));
    expect(encodeCursor({ of: 'all stores', epoch: EPOCH, positions }).length).toBeLessThan(1_200);
  });
});

it('of 2,000 stores fits into an address, and comes back as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 0, max: 2 ** 31 }), (of, seed) => {
      const sequence = (i: number) => (((i + 1) * 2_654_435_761 + seed) % 2_000_000) + 1;
      const positions = new Map(Array.from({ length: 2_000 }, (_, i) => [1 + i * of, sequence(i)]));
      const epoch = '01980c6e-5c00-7000-8000-00000000ffff';
      const text = encodeCursor({ of: 'all stores', epoch, positions });
      expect(text.length).toBeLessThan(8_000);
      expect(decodeCursor(text)).toEqual({ of: 'all stores', epoch, positions });
    }),
    { numRuns: 20 },
  );
});
