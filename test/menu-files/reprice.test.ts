import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePriceChange, reprice, type PriceChange } from '../../src/menu-files/reprice.js';
import { taxWithin } from '../../src/menu-files/sheet/money.js';

const by = (text: string): PriceChange => parsePriceChange(text, 'EUR') ?? { by: 'amount', value: NaN };

describe('a change of price', () => {
  it.each([
    ['+5%', { by: 'share', value: 50_000 }],
    ['-2,5 %', { by: 'share', value: -25_000 }],
    ['+0.20', { by: 'amount', value: 20 }],
    ['-1', { by: 'amount', value: -100 }],
    ['5%', undefined],
    ['+', undefined],
    ['++5', undefined],
    ['+five', undefined],
  ])('reads %j', (text, change) => {
    expect(parsePriceChange(text, 'EUR')).toEqual(change);
  });

  it('changes what the guest pays, and the tax at its rate', () => {
    const options = { change: by('+5%'), roundTo: 5, isNet: false };
    expect(reprice({ price: 318, tax: 32 }, options)).toEqual({ price: 336, tax: 34 });
    expect(reprice({ price: 500, tax: 43 }, { ...options, isNet: true, taxRate: 86_000 })).toEqual({
      price: 525,
      tax: 45,
    });
    expect(reprice({ price: 100, tax: 0 }, { change: by('-2.00'), roundTo: 1, isNet: false })).toEqual({
      price: 0,
      tax: 0,
    });
  });

  it('gives multiples, keeps the rate, and nothing at all for no change', () => {
    const prices = fc.record({
      gross: fc.integer({ min: 100, max: 100_000 }),
      rate: fc.constantFrom(0, 55_000, 77_000, 100_000, 190_000, 210_000),
      roundTo: fc.constantFrom(1, 5, 10, 50),
      percent: fc.integer({ min: -500_000, max: 500_000 }),
    });
    fc.assert(
      fc.property(prices, ({ gross, rate, roundTo, percent }) => {
        const tax = taxWithin(gross, rate);
        const before = { price: gross - tax, tax };
        const change = { by: 'share', value: percent } as const;
        const after = reprice(before, { change, roundTo, isNet: false, taxRate: rate });
        const paid = after.price + after.tax;
        expect(paid % roundTo).toBe(0);
        expect(Math.abs(paid - gross * (1 + percent / 1_000_000))).toBeLessThanOrEqual(roundTo / 2 + 1e-6);
        expect(after.tax).toBe(taxWithin(paid, rate));
        const same = reprice(before, { change: { by: 'share', value: 0 }, roundTo: 1, isNet: false });
        expect(same).toEqual(before);
      }),
    );
  });
});
