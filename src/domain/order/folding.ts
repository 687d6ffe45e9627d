import { PLAIN_BY_LETTER } from './plain-letters.js';

const ONLY_ASCII = /^[\0-\x7f]*$/;
// Lower-casing picks the final sigma by its neighbours, which a part of a name does not have.
const FINAL_SIGMA = /ς/g;
const PLAIN_LETTERS = new RegExp(`[${[...PLAIN_BY_LETTER.keys()].join('')}]`, 'gu');

/** What names are compared by, stored and asked alike: NFKD without marks, lower case, plain letters. */
export function foldName(name: string): string {
  if (ONLY_ASCII.test(name)) return name.toLowerCase();
  return withoutMarks(withoutMarks(name).toLowerCase())
    .replace(FINAL_SIGMA, 'σ')
    .replace(PLAIN_LETTERS, (letter) => PLAIN_BY_LETTER.get(letter) ?? letter);
}

/** The digits of a phone number, of any script, as 0 to 9. */
export function phoneDigits(phone: string): string {
  if (ONLY_ASCII.test(phone)) return phone.replace(/[^0-9]+/g, '');
  return phone
    .normalize('NFKD')
    .replace(/\P{Nd}+/gu, '')
    .replace(/[^0-9]/gu, plainDigit);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}

/** Unicode keeps the ten digits of a script in a row, zero first. */
function plainDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value);
}
