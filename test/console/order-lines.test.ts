import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumOf, toOrderLines } from '../../console/src/pages/orders/read-lines.js';

test('a line comes to its item and its choices, times how many there are', () => {
  const [line] = toOrderLines([
    {
      name: 'Falafel bowl',
      quantity: 2,
      price: 380,
      modifiers: [
        { name: 'Tahini', quantity: 2, price_change: 50 },
        { name: 'No onions' },
        { name: 'Side', price_change: 100, modifiers: [{ name: 'Large', quantity: 3, price_change: 10 }] },
      ],
    },
  ]);
  expect(line).toMatchObject({ quantity: '2', unit: 380, total: 2 * (380 + 2 * 50 + 100 + 3 * 10) });
  expect(line?.choices.map(({ name, extra, depth }) => [name, extra, depth])).toEqual([
    ['Tahini', 100, 0],
    ['No onions', 0, 0],
    ['Side', 100, 0],
    ['Large', 30, 1],
  ]);
});

test('what stands beside each line adds up to the order, whatever is in it', () => {
  const count = fc.integer({ min: 1, max: 20 });
  const amount = fc.integer({ min: -1000, max: 100_000 });
  const modifier = fc.record({ name: fc.string(), quantity: count, price_change: amount });
  const item = fc.record({
    name: fc.string(),
    quantity: count,
    price: amount,
    modifiers: fc.array(modifier, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const sold = items.flatMap(({ quantity, price, modifiers }) =>
        Array.from({ length: quantity }, () => [
          price,
          ...modifiers.flatMap((each) => Array.from({ length: each.quantity }, () => each.price_change)),
        ]),
      );
      expect(sumOf(toOrderLines(items))).toBe(sold.flat().reduce((sum, each) => sum + each, 0));
    }),
  );
});

test('lines without prices are left without, and what is no quantity counts as one', () => {
  const items = [{ name: 'Soup' }, { name: 'Tea', price: 200, quantity: 'a pot' }];
  expect(toOrderLines(items).map(({ total }) => total)).toEqual([undefined, 200]);
  expect(sumOf(toOrderLines(items))).toBeUndefined();
});
