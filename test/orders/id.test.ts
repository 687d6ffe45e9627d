import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOrderIds, storeKeyOfOrder } from '../../src/orders/id.js';

const storeKeys = fc.integer({ min: 1, max: 0x7fff_ffff });

describe('order ids', () => {
  it('are UUIDv7 of the present time that lead back to their store', () => {
    fc.assert(
      fc.property(storeKeys, fc.integer({ min: 1, max: 2 ** 47 }), (storeKey, now) => {
        const id = createOrderIds(() => now)(storeKey);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
        expect(storeKeyOfOrder(id)).toBe(storeKey);
      }),
    );
  });

  it('ascend within a process, also when the clock stands still or goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 50 }), (clock) => {
        const ticks = clock.values();
        const ids = createOrderIds(() => ticks.next().value ?? 1);
        const made = clock.map(() => ids(7));
        expect([...new Set(made)].sort()).toEqual(made);
      }),
    );
  });

  it.each([
    '',
    'x',
    '018f3c9a-0000-4000-8000-000000000001',
    '018f3c9a-0000-7000-c000-000000000001',
    '018F3C9A-0000-7000-8000-000000000001',
    '018f3c9a-0000-7000-8000-0000ffffffff',
    `018f3c9a-0000-7000-8000-000000000001\n`,
  ])('takes %j for the id of no order', (id) => {
    expect(storeKeyOfOrder(id)).toBeUndefined();
  });
});
