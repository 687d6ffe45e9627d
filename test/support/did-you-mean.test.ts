import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FULL_EFFORT, nearestTo } from '../../src/support/did-you-mean.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 6, maxLength: 20 });

describe('near misses', () => {
  it.each([
    ['burgr', 'burger'],
    ['brugers', 'burgers'],
    ['Burger ', 'burger'],
    ['BURGER', 'burger'],
    ['c1', 'c2'],
  ])('finds for %j what was meant', (wanted, meant) => {
    expect(nearestTo(wanted, ['something else', meant, 'x'])).toBe(meant);
  });

  it.each([
    ['a', ['b']],
    ['soup', ['cake', 'tart']],
    ['', ['a']],
  ])('finds nothing for %j in %j', (wanted, known) => {
    expect(nearestTo(wanted, known)).toBeUndefined();
  });

  it('finds any word with one letter changed, dropped, added or swapped', () => {
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom('change', 'drop', 'add', 'swap'),
        (meant, position, slip) => {
          const at = position % (meant.length - 1);
          const [before, one, other, after] = [
            meant.slice(0, at),
            meant[at],
            meant[at + 1],
            meant.slice(at + 2),
          ];
          const slipped = {
            change: `${before}z${other}${after}`,
            drop: `${before}${other}${after}`,
            add: `${before}${one}z${other}${after}`,
            swap: `${before}${other}${one}${after}`,
          }[slip];
          expect(nearestTo(slipped, ['zzzzzzzzzz', meant])).toBe(meant);
        },
      ),
    );
  });

  it('gives up within a bounded effort', () => {
    const effort = { left: FULL_EFFORT };
    const known = Array.from({ length: 10_000 }, (_, number) => `${'x'.repeat(240)}${number}`);
    const before = process.cpuUsage();
    for (let round = 0; round < 100; round += 1)
      nearestTo(`${'x'.repeat(200)}${'y'.repeat(45)}`, known, effort);
    expect(effort.left).toBeLessThanOrEqual(0);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});
