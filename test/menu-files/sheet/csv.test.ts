import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, parseCsv } from '../../../src/menu-files/sheet/csv.js';
import { cellName } from '../../../src/menu-files/sheet/errors.js';
import { formatCsv } from '../../../src/support/csv.js';

describe('CSV', () => {
  it.each<[what: string, text: string, rows: string[][]]>([
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR alone',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a comma in quotes', 'a\n"x, y"\n', [['a'], ['x, y']]],
    [
      'doubled quotes',
      'a,b\n1,"say ""hi"""\n',
      [
        ['a', 'b'],
        ['1', 'say "hi"'],
      ],
    ],
    ['only a doubled quote', 'a\n""""\n', [['a'], ['"']]],
    ['quotes within a plain cell', 'a\n12" pizza\n', [['a'], ['12" pizza']]],
    [
      'JSON in a cell',
      'a,b\n1,"{""x"": ""y, z""}"\n',
      [
        ['a', 'b'],
        ['1', '{"x": "y, z"}'],
      ],
    ],
    [
      'line breaks in a cell',
      'a,b\n"one\ntwo","x\r\ny"\n',
      [
        ['a', 'b'],
        ['one\ntwo', 'x\r\ny'],
      ],
    ],
    [
      'blank cells, quoted and not',
      'a,b,c\n1,"",\n',
      [
        ['a', 'b', 'c'],
        ['1', '', ''],
      ],
    ],
    ['blank lines', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['other scripts', 'a\nʤ, "漢字"\n', [['a'], ['ʤ', ' "漢字"']]],
  ])('reads %s', (_what, text, rows) => {
    expect(parseCsv(text, ',')).toEqual(rows);
  });

  it('says where a quote goes wrong', () => {
    expect(() => parseCsv('a,b\n1,"x\n', ',')).toThrow('the quote that begins here never ends');
    expect(() => parseCsv('a,b\n1,"x"y\n', ',')).toThrow('text follows the closing quote');
  });

  it('reads what it writes', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', ' ', '=', 'é', '😀'),
    });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t'), (written, delimiter) => {
        expect(parseCsv(formatCsv(written, delimiter), delimiter)).toEqual(written);
      }),
    );
  });

  it('names cells as spreadsheets do', () => {
    const names = [0, 5, 25, 26, 51, 52, 701, 702].map((column) => cellName({ row: 16, column }));
    expect(names).toEqual(['A17', 'F17', 'Z17', 'AA17', 'AZ17', 'BA17', 'ZZ17', 'AAA17']);
  });

  it('decodes what spreadsheets save', () => {
    const text = 'Café 3 €';
    expect(decodeText(new TextEncoder().encode(text))).toEqual({ text });
    expect(decodeText(new TextEncoder().encode(`\uFEFF${text}`))).toEqual({ text });
    expect(decodeText(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual({ text });
    const windows = Uint8Array.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x33, 0x20, 0x80]);
    expect(decodeText(windows)).toEqual({ text, guessed: 'Windows-1252' });
  });
});
