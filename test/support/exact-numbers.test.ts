import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { markInexactNumbers } from '../../src/support/exact-numbers.js';

it.each(['0.1', '-0.0', '1.50', '1e-7', '1E+2', '12e300', '0e99999', '9007199254740991.0', '5e-324'])(
  'leaves %s as it is',
  (number) => expect(markInexactNumbers(`{"n":[${number}]}`)).toBe(`{"n":[${number}]}`),
);

it.each([
  '0.12345678901234567890',
  '1.00000000000000000001',
  '-9007199254740990.7',
  '1e-400',
  '1e400',
  '123456789012345678e-5',
  '4e-324',
])('marks %s, which would be rounded', (number) =>
  expect(JSON.parse(markInexactNumbers(`{"n":[0.5,${number}]}`))).toEqual({ n: [0.5, Infinity] }),
);

it('leaves strings and integers alone', () => {
  for (const text of [
    '{"1e-400":"0.12345678901234567890 \\" 1e-400"}',
    '["12345678901234567890",12345678901234567890]',
  ])
    expect(markInexactNumbers(text)).toBe(text);
});

it('marks nothing that JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(markInexactNumbers(text)).toBe(text);
    }),
  );
});

it('takes a time that grows with the text', () => {
  const zeros = '0'.repeat(1_000_000);
  expect(markInexactNumbers(`[1.${zeros}]`)).toBe(`[1.${zeros}]`);
  expect(markInexactNumbers(`[1.${zeros}1]`)).toBe('[1e999]');
  const escapes = `"${'\\n'.repeat(500_000)}1e5"`;
  expect(markInexactNumbers(escapes)).toBe(escapes);
});
