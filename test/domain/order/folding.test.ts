import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, phoneDigits } from '../../../src/domain/order/folding.js';

describe('folding names', () => {
  it.each([
    ['Łukasz', 'lukasz'],
    ['Søren ØDEGAARD', 'soren odegaard'],
    ['Straße STRASSE ẞ', 'strasse strasse ss'],
    ['Æsir Œuvre', 'aesir oeuvre'],
    ['Đorđe', 'dorde'],
    ['José Ñandú', 'jose nandu'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İstanbul ısı', 'istanbul isi'],
    ['ﬁn Ｆｕｌｌ', 'fin full'],
    ['李小龍', '李小龍'],
    ['100% a_b\\c', '100% a_b\\c'],
  ])('folds %s to %s', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
    );
  });

  it('finds a name by any of its parts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        (a, b, c) => {
          const folded = foldName(a + b + c);
          expect(folded).toContain(foldName(b));
        },
      ),
    );
  });
});

describe('the digits of a phone', () => {
  it.each([
    ['+48 (22) 555-01-23', '48225550123'],
    ['ext. ', ''],
    ['０８０-１２３４', '0801234'],
    ['٠١٢ ٣٤٥', '012345'],
    ['𝟗𝟎', '90'],
  ])('of %s are %s', (phone, digits) => {
    expect(phoneDigits(phone)).toBe(digits);
  });
});
