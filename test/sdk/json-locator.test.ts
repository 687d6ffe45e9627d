import { createJsonLocator } from '#sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('createJsonLocator', () => {
  const text = '{ "a": [10, {"b\\n": "x]}"}, true], "a2" : null,"a":[ 1 ,{"c":-2.5e3}] }';
  it.each([
    [[], '{ "a"'],
    [['a'], '[ 1 ,'],
    [['a', 0], '1 ,'],
    [['a', 1, 'c'], '-2.5e3'],
    [['a', 1, 'missing'], '{"c"'],
    [['a', 9], '[ 1 ,'],
    [['a2'], 'null'],
    [['a2', 0], 'null'],
    [['nothing'], '{ "a"'],
  ])('finds %j', (path, begins) => {
    expect(text.slice(createJsonLocator(text)(path)).startsWith(begins)).toBe(true);
  });

  it('finds every value of any document', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (given, space) => {
        const value = JSON.parse(given) as unknown;
        const written = JSON.stringify(value, null, space);
        const locate = createJsonLocator(written);
        for (const [path, member] of walk(value, [])) {
          const opening = JSON.stringify(member, null, space).slice(
            0,
            typeof member === 'object' ? 1 : undefined,
          );
          expect(written.slice(locate(path)).startsWith(opening)).toBe(true);
        }
      }),
    );
  });
});

function* walk(value: unknown, path: (string | number)[]): Generator<[(string | number)[], unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value))
    yield* walk(member, [...path, Array.isArray(value) ? Number(key) : key]);
}
