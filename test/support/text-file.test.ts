import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPlaces } from '../../src/support/text-file.js';

test('every offset of any text is at the line and column at which an editor shows it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', 'é')), (parts) => {
      const text = parts.join('');
      const placeAt = createPlaces(text);
      for (let offset = 0; offset <= text.length; offset += 1) {
        const before = text.slice(0, offset).split('\n');
        expect(placeAt(offset)).toEqual({
          line: before.length,
          column: (before.at(-1)?.length ?? 0) + 1,
        });
      }
    }),
  );
});
