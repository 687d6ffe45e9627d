import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldName,
  gramsOfOrder,
  gramsOfSearch,
  phoneDigits,
  searchedOrder,
} from '../../src/orders/list/search-text.js';

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

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('李小龍', '김철수', 'かな', 'x李y'),
);
const digits = fc.stringMatching(/^[0-9]{0,12}$/);

describe('grams', () => {
  it('of a search are all among those of every order that matches it', () => {
    fc.assert(
      fc.property(texts, texts, texts, digits, digits, digits, (a, b, c, d, e, f) => {
        const [before, wanted, after] = [foldName(a), foldName(b), foldName(c)];
        const order = new Set(gramsOfOrder(7, before + wanted + after, d + e + f));
        expect(gramsOfSearch(7, wanted, e).filter(({ gram }) => !order.has(gram))).toEqual([]);
      }),
    );
  });

  it('are 32-bit integers that differ from store to store', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,20}$/), (name) => {
        const [one, other] = [gramsOfOrder(1, name, ''), gramsOfOrder(2, name, '')];
        expect(one.every((gram) => gram === (gram | 0))).toBe(true);
        expect(one).not.toEqual(other);
      }),
    );
  });

  it('stay few however long the search', () => {
    const letters = Array.from({ length: 5000 }, (_, i) => i.toString(26)).join('');
    expect(gramsOfSearch(1, letters, '0123456789'.repeat(100)).length).toBeLessThan(50);
  });

  it('of an order stay few however long its name and phone', () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 9_999 }), fc.nat({ max: 9_999 }), (text, letters, figures) => {
        const name = Array.from({ length: letters }, (_, i) =>
          String.fromCodePoint(0x4e00 + ((i * 7) % 20_000)),
        );
        const order = searchedOrder(1, text + name.join(''), '0123456789'.repeat(1_000).slice(0, figures));
        expect(order.grams.length).toBeLessThan(600);
      }),
    );
  });

  it('are none for one or two letters, but one character of Chinese, Japanese or Korean has one', () => {
    expect(gramsOfSearch(1, 'ab', '123')).toEqual([]);
    expect(gramsOfSearch(1, '李', '')).toHaveLength(1);
  });
});
