import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toOrderLines } from '../../console/src/pages/orders/read-lines.js';
import { countItems, priceOf, readLines, shownName, shownQuantity, taxOf } from '../../src/orders/lines.js';
import { soldLines } from '../../src/orders/sales/sales.js';

const entry = (external_id: string | undefined, quantity: number, sent: unknown) => ({
  externalId: external_id,
  quantity,
  sent,
});

describe('the lines of an order', () => {
  it('are read with all that is chosen, at any depth, and with what is free of it', () => {
    const large = { external_id: 'large', quantity: 3, price_change: 10, tax_change: -1 };
    const side = {
      external_id: 'side',
      quantity: 2,
      free_quantity: 1,
      price_change: 100,
      modifiers: [large],
    };
    const bowl = {
      ...{ external_id: 'bowl', quantity: 2, price: 380, tax: 38, comments: 'Very hot' },
      modifiers: [side, { external_id: 'no-onions', price_change: -20, free_quantity: 1 }],
    };
    const [line] = readLines([bowl]);
    expect(line).toEqual({
      ...entry('bowl', 2, bowl),
      price: 380,
      tax: 38,
      comments: 'Very hot',
      modifiers: [
        { ...entry('side', 2, side), depth: 0, units: 2, extraPrice: 100, extraTax: 0 },
        { ...entry('large', 3, large), depth: 1, units: 6, extraPrice: 60, extraTax: -6 },
        { ...entry('no-onions', 1, bowl.modifiers[1]), depth: 0, units: 1, extraPrice: -20, extraTax: 0 },
      ],
    });
    expect(line && [priceOf(line), taxOf(line)]).toEqual([2 * (380 + 100 + 60 - 20), 2 * (38 - 6)]);
  });

  it('come to the same in the sales and in the console', () => {
    const amount = fc.integer({ min: -1_000, max: 1_000 });
    const count = fc.oneof(fc.integer({ min: -1, max: 9 }), fc.constantFrom('2', 'a pot', 0.5, null, 1e12));
    const { line } = fc.letrec<{ modifier: object; line: object }>((tie) => ({
      modifier: fc.record(
        {
          external_id: fc.constantFrom('a', 'b'),
          quantity: count,
          free_quantity: count,
          price_change: amount,
          tax_change: amount,
          modifiers: fc.array(tie('modifier'), { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      line: fc.record(
        {
          external_id: fc.constant('x'),
          quantity: count,
          price: amount,
          modifiers: fc.array(tie('modifier')),
        },
        { requiredKeys: ['price', 'external_id'] },
      ),
    }));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (items) => {
        const shown = toOrderLines(items as Record<string, unknown>[]);
        const [sold] = soldLines(readLines(items));
        expect((sold?.price ?? NaN) + (sold?.tax ?? NaN)).toBe(
          shown.reduce((sum, { total = NaN }) => sum + total, 0),
        );
        expect(sold?.units).toBe(readLines(items).reduce((sum, { quantity }) => sum + quantity, 0));
      }),
    );
  });

  it.each([
    [undefined, 1, '1'],
    [null, 1, '1'],
    [0, 1, '0'],
    [-2, 1, '-2'],
    [0.5, 1, '0.5'],
    ['a pot', 1, 'a pot'],
    ['', 1, '1'],
    [{}, 1, '1'],
    ['12', 12, '12'],
    [5_000_000, 1_000_000, '5000000'],
    [1e300, 1, '1e+300'],
  ])('count a quantity of %j as %i and show it as %s', (quantity, count, shown) => {
    const lines = readLines([{ quantity }]);
    expect([countItems(lines), lines.map(shownQuantity)]).toEqual([count, [shown]]);
  });

  it('are each one of something, whatever was sent', () => {
    const sent = [null, 7, 'soup', [], {}, { external_id: '', name: ' ', modifiers: 'x', price: 1.5 }];
    const lines = readLines(sent);
    expect(lines).toEqual(
      sent.map((one) => ({
        ...entry(undefined, 1, one),
        price: undefined,
        tax: undefined,
        modifiers: [],
        comments: undefined,
      })),
    );
    expect(lines.map((line) => shownName(line))).toEqual([
      undefined,
      undefined,
      'soup',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ name: 'Soup', external_id: 's' }, 'Soup'],
    [{ name: { translations: { es: 'Sopa', en: 'Soup' } } }, 'Soup'],
    [{ name: { translations: { es: 'Sopa' } } }, 'Sopa'],
    [{ name: { es: 'Sopa' } }, 'Sopa'],
    [{ name: '', external_id: 's' }, 's'],
  ])('call %j by name', (sent, name) => {
    expect(readLines([sent]).map((line) => shownName(line))).toEqual([name]);
  });

  it.each([
    ['es', 'Sopa'],
    ['de', 'Suppe'],
    ['fr', 'Suppe'],
  ])('call a name with several languages by that of the reader: %s', (language, name) => {
    const [line] = readLines([{ name: { translations: { de: 'Suppe', en: 'Soup', es: 'Sopa' } } }]);
    expect(line && shownName(line, language)).toBe(name);
  });

  it('may nest further than the stack is deep', () => {
    let nested: object = { price_change: 1 };
    for (let depth = 0; depth < 50_000; depth += 1) nested = { modifiers: [nested] };
    const [line] = readLines([nested]);
    expect(line?.modifiers.length).toBe(50_000);
    expect(line && priceOf(line)).toBe(1);
  });
});
