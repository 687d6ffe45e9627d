import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findRate,
  formatAmount,
  formatRate,
  parseAmount,
  parseRate,
  taxWithin,
} from '../../../src/menu-files/sheet/money.js';

describe('amounts', () => {
  it.each([
    ['3.50', 'EUR', 350],
    ['3,50', 'EUR', 350],
    [' 1,1', 'EUR', 110],
    ['0,55', 'EUR', 55],
    ['.5', 'EUR', 50],
    ['350', 'EUR', 35_000],
    ['-0.50', 'EUR', -50],
    ['−0,50', 'EUR', -50],
    ['+0.50', 'EUR', 50],
    ['€3.50', 'EUR', 350],
    ['3,50 €', 'EUR', 350],
    ['3.50 eur', 'EUR', 350],
    ['-€3.50', 'EUR', -350],
    ['1,234.50', 'EUR', 123_450],
    ['1.234,50', 'EUR', 123_450],
    ['1 234,50', 'EUR', 123_450],
    ["1'234.50", 'CHF', 123_450],
    ['1.234.567', 'EUR', 123_456_700],
    ['350', 'JPY', 350],
    ['¥350', 'JPY', 350],
    ['1,350', 'JPY', 1350],
    ['0.350', 'KWD', 350],
    ['1,234', 'KWD', 1234],
    ['2.5', 'KWD', 2500],
    ['450', undefined, 450],
  ])('reads %j in %s', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toBe(minor);
  });

  it.each([
    ['3.5O', 'EUR'],
    ['', 'EUR'],
    ['-', 'EUR'],
    ['1.234', 'EUR'],
    ['1,234', 'EUR'],
    ['12,34.50', 'EUR'],
    ['1.234.50', 'EUR'],
    ['3.505', 'EUR'],
    ['$3.50', 'EUR'],
    ['3.50', 'JPY'],
    ['1.2345', 'KWD'],
    ['1e3', 'EUR'],
    ['99999999999999999', 'EUR'],
    ['4.50', undefined],
  ])('refuses %j in %s', (text, currency) => {
    expect(parseAmount(text, currency)).toBeUndefined();
  });

  it('reads what it writes', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'HUF', undefined);
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, fc.constantFrom('.', ','), (minor, code, sign) => {
        expect(parseAmount(formatAmount(minor, code, sign), code)).toBe(minor);
      }),
    );
    expect(formatAmount(-5, 'EUR')).toBe('-0.05');
    expect(formatAmount(5, 'KWD')).toBe('0.005');
  });
});

describe('tax', () => {
  it('is the price with tax less the net, rounded', () => {
    expect(taxWithin(350, parseRate('10%') ?? 0)).toBe(32);
    expect(taxWithin(1190, parseRate('19') ?? 0)).toBe(190);
    expect(taxWithin(-350, parseRate('10') ?? 0)).toBe(-32);
    expect(taxWithin(1077, parseRate('7,7 %') ?? 0)).toBe(77);
    expect(taxWithin(350, 0)).toBe(0);
  });

  it('has a rate that gives it again, wherever one was used', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 300_000 }),
        (gross, rate) => {
          const tax = taxWithin(gross, rate);
          const found = findRate(gross - tax, tax);
          expect(found).toBeDefined();
          expect(taxWithin(gross, parseRate(formatRate(found ?? -1)) ?? -1)).toBe(tax);
        },
      ),
    );
    expect(findRate(318, 32)).toBe(100_000);
    expect(findRate(100, -5)).toBeUndefined();
  });

  it.each(['10 percent', '', '-5', '1.23456'])('refuses the rate %j', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
