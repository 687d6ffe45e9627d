import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv, markText, unmarkText } from '../../src/support/csv.js';

describe('a cell', () => {
  it.each([
    ...['=1+1', '+34 600', '-5', '@here', "'tis", '＝1', ' x', 'x '],
    ...[
      '.5',
      ',5',
      '007',
      '1.0',
      '1,000',
      '1E+2',
      '1e5',
      '5%',
      '5 %',
      '$5',
      '5 €',
      '(5)',
      '1/2',
      '1-2',
      '12:30',
    ],
    ...['1234567890123456', '１２'],
    ...['9 PM', '12:30 PM', '12:30 p.m.', '9a'],
    ...[
      'Jan-26',
      '26-Jan',
      '5 Mar',
      'MAR1',
      'SEPT2',
      'March 5',
      '5. März',
      'dic-25',
      'March 5, 2026',
      '1 août 2026',
    ],
    ...['true', 'FALSE', 'wahr', 'verdadero', '#N/A', '#REF!'],
  ])('%j is marked, and read as it was', (text) => {
    expect(markText(text)).toBe(`'${text}`);
    expect(unmarkText(markText(text))).toBe(text);
  });

  it.each([
    ...[
      '',
      '0',
      '5',
      '123456789012345',
      'flat-white',
      'Table 5',
      'E150',
      'may',
      'March',
      'Decaf 2',
      'Marinara 2',
    ],
    ...['7up', '12" pizza', 'B12', '1 egg', 'True north', '½ chicken', '2x1', 'No. 5', 'café', '漢字'],
  ])('%j is left alone', (text) => {
    expect(markText(text)).toBe(text);
    expect(unmarkText(text)).toBe(text);
  });

  it('keeps any text there and back, but for outer spaces that were typed', () => {
    const unit = fc.constantFrom('=', "'", ' ', '1', '0', '.', ',', 'e', '-', '%', 'a', 'm', 'r', '\t', '#');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string()), (text) => {
        expect(unmarkText(markText(text))).toBe(text);
      }),
    );
  });

  it.each([',', ';', '\t'])('with a separator of any country is quoted, also between %j', (delimiter) => {
    expect(formatCsv([['a,b', 'a;b', 'a\tb', 'a"b', 'a b']], delimiter)).toBe(
      ['"a,b"', '"a;b"', '"a\tb"', '"a""b"', 'a b'].join(delimiter) + '\r\n',
    );
  });
});
