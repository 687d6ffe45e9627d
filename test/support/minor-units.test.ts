import { expect, it } from 'vitest';
import { currencyStyle, decimalsOf, toMoney } from '../../src/support/minor-units.js';
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
  expect(new Intl.NumberFormat('en', currencyStyle(currency)).resolvedOptions()).toMatchObject({
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
});

it('has one forint for sheets and the command line', () => {
  expect([
    formatAmount(150_000, 'HUF'),
    parseAmount('1500', 'HUF'),
    parseAmount('1 500,00 Ft', 'HUF'),
  ]).toEqual(['1500.00', 150_000, 150_000]);
  expect(toMoney(150_000, 'HUF')).toBe('1500.00 HUF');
});
