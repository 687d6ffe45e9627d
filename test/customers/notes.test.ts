import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutNotes } from '../../src/customers/erase.js';

const { items } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(1, 10.5, 'comments', '"comments"', null, true),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('line'),
  ),
  line: fc.dictionary(
    fc.oneof(fc.constantFrom('comments', 'name', 'modifiers', '__proto__', '7'), fc.string()),
    tie('value'),
  ),
  items: fc.array(tie('line'), { maxLength: 4 }),
}));

type Member = readonly [path: readonly string[], value: unknown];

/** Every member, in its order, with the path that leads to it. */
function members(value: unknown, path: readonly string[] = []): Member[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const kind = Array.isArray(value) ? 'a list' : 'a map';
  const inner = Object.entries(value).flatMap(([name, member]) => members(member, [...path, name]));
  return [[path, kind], ...inner];
}

it('leaves out the notes of lines and modifiers at every depth, and nothing else', () => {
  fc.assert(
    fc.property(items, (given) => {
      const text = JSON.stringify(given);
      const kept = JSON.parse(withoutNotes(text)) as unknown;
      const sent = members(JSON.parse(text)).filter(([path]) => !path.includes('comments'));
      expect(members(kept)).toEqual(sent);
    }),
  );
});
