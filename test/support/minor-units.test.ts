import { expect, it } from 'vitest';
import { decimalsOf, formatMoney, toMoney } from '../../src/support/minor-units.js';
import { formatAmount, parseAmount } from '../../src/menu-files/sheet/money.js';

it.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  // Engines have other ideas of these than ISO 4217, and than each other.
  ['HUF', 2],
  ['IDR', 2],
  ['COP', 2],
  ['IQD', 3],
  ['CLF', 4],
])('%s has %i decimals, whatever the engine thinks', (currency, decimals) => {
  expect(decimalsOf(currency)).toBe(decimals);
  expect(formatMoney(10 ** decimals, currency, 'en')).toMatch(
    decimals === 0 ? /1$/ : `1.${'0'.repeat(decimals)}`,
  );
});

it.each([
  ['en', 150, '+€1.50'],
  ['en', -150, '−€1.50'],
  ['en', 0, '€0.00'],
  ['de', -150, '−1,50 €'],
  // The marks keep the sign with the digits, which are read from left to right.
  ['ar', 150, '\u200f\u200e+1.50 €'],
  ['ar', -150, '\u200f\u200e−1.50 €'],
])('in %s, %i cents that are added or taken off are %s', (locale, minor, text) => {
  expect(formatMoney(minor, 'EUR', locale, 'exceptZero')).toBe(text.replace(' ', '\u00a0'));
});

it('keeps the sign of a currency with its letters where a text is read from right to left', () => {
  expect(formatMoney(5, 'JPY', 'ar')).toBe('\u200f5\u00a0JP¥\u200e');
  expect(formatMoney(5, 'JPY', 'en')).toBe('¥5');
});

it('has one forint for sheets and the command line', () => {
  expect([
    formatAmount(150_000, 'HUF'),
    parseAmount('1500', 'HUF'),
    parseAmount('1 500,00 Ft', 'HUF'),
  ]).toEqual(['1500.00', 150_000, 150_000]);
  expect(toMoney(150_000, 'HUF')).toBe('1500.00 HUF');
});
