export interface SearchedOrder {
  readonly name: string;
  readonly digits: string;
  /** Whether name or digits are too long for an index row. Such an order is found by comparing its texts, not by grams. */
  readonly isLong: boolean;
  readonly grams: readonly number[];
}

const LONGEST_NAME_KEY_BYTES = 512;
const LONGEST_DIGITS_KEY = 64;

export function searchedOrder(storeKey: number, customerName: string, customerPhone: string): SearchedOrder {
  const name = foldName(customerName);
  const digits = phoneDigits(customerPhone);
  const isLong = digits.length > LONGEST_DIGITS_KEY || Buffer.byteLength(name) > LONGEST_NAME_KEY_BYTES;
  return { name, digits, isLong, grams: isLong ? [] : gramsOfOrder(storeKey, name, digits) };
}

/** Letters that Unicode does not decompose, in lower case, under the plain letters that PostgreSQL's `unaccent` gives them. */
// prettier-ignore
const LETTERS_BY_PLAIN: Readonly<Record<string, string>> = {
  "'": 'ʹʻʼʽˈ', a: 'ⱥᴀᶏ', aa: 'ꜳ', ae: 'æᴁ', ao: 'ꜵ', au: 'ꜷ', av: 'ꜹꜻ', ay: 'ꜽ', b: 'ƀɓƃʙᴃᵬᶀ', c: 'ƈȼɕᴄꞓ',
  d: 'ðđɖɗƌȡᴅᴆᵭᶁᶑꝱꝺ', db: 'ȸ', dz: 'ʣʥ', e: 'ɛɇᴇᶒᶓⱸ', f: 'ƒᵮᶂꜰꝼ', g: 'ɠǥɡɢʛᶃꞡ', h: 'ħɦɧʜⱨ', hv: 'ƕ', i: 'ıɩɨɪᵻᶖ',
  j: 'ȷɉɟʝᴊ', k: 'ƙᴋᶄⱪꝁꝃꝅꞣ', l: 'łƚȴɫɬɭʟᴌᶅⱡꝇꝉꝲ', ll: 'ỻ', ls: 'ʪ', lz: 'ʫ', m: 'ɱᴍᵯᶆꝳ', n: 'ŋɲƞȵɳɴᵰᶇꝴꞑꞥ', o: 'øᴏⱺꝋꝍ',
  oe: 'œɶ', oi: 'ƣ', oo: 'ꝏ', p: 'ƥᴘᵱᵽᶈꝑꝓꝕ', q: 'ĸʠꝗꝙ', qp: 'ȹ', r: 'ɍɼɽɾʀᵲᵳᶉꝵꝶꞧ', s: 'ȿʂᵴᶊẜẝꜱꞩ', ss: 'ß',
  t: 'ŧƫƭʈȶⱦᴛᵵꝷꞇ', th: 'þᵺꝥꝧ', ts: 'ʦ', u: 'ʉᴜᵾᶙ', ue: 'ᵫ', v: 'ʋᴠᶌỽⱱⱴꝟ', vy: 'ꝡ', w: 'ᴡⱳ', x: 'ᶍ', y: 'ƴɏʏỿ',
  z: 'ƶȥɀʐʑᴢᵶᶎⱬ',
};

const PLAIN_BY_LETTER: ReadonlyMap<string, string> = new Map(
  Object.entries(LETTERS_BY_PLAIN).flatMap(([plain, letters]) =>
    Array.from(letters, (letter) => [letter, plain] as const),
  ),
);

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

const NAME_GRAM = 3;
const PHONE_GRAM = 4;
const MOST_GRAMS = 24;

/** Scripts in which one or two characters already make a name. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const CJK_RUN = new RegExp(`${CJK.source}+`, 'gu');

/**
 * The hashed parts an order is indexed under: three letters of the folded name, four digits of the phone, one and two
 * characters of Chinese, Japanese and Korean. The store's number goes into the hash, so one index serves every store apart.
 * Two of them may share a hash: what the index finds is compared again.
 */
export function gramsOfOrder(storeKey: number, name: string, digits: string): number[] {
  const grams = new Set<number>();
  addWindows(grams, storeKey, 'n', name, NAME_GRAM);
  addWindows(grams, storeKey, 'p', digits, PHONE_GRAM);
  for (const run of name.match(CJK_RUN) ?? []) addCjk(grams, storeKey, Array.from(run));
  return [...grams];
}

/** A part of what is searched for, and the gram that every order which has it is indexed under. */
export interface SearchGram {
  readonly of: 'name' | 'digits';
  readonly text: string;
  readonly gram: number;
}

/** Parts of the wanted texts, some of them, evenly spread; none when the texts are too short to have one. */
export function gramsOfSearch(storeKey: number, name: string, digits: string): SearchGram[] {
  const ofName = windows(name, NAME_GRAM).map((text) => searchGram(storeKey, 'name', text, 'n'));
  const ofDigits = windows(digits, PHONE_GRAM).map((text) => searchGram(storeKey, 'digits', text, 'p'));
  return [...fewOf(ofName.length > 0 ? ofName : cjkGrams(storeKey, name)), ...fewOf(ofDigits)];
}

function searchGram(storeKey: number, of: SearchGram['of'], text: string, kind: string): SearchGram {
  return { of, text, gram: hash(hash(hashNumber(storeKey), kind, 0, 1), text, 0, text.length) };
}

function windows(text: string, width: number): string[] {
  const all = new Set<string>();
  for (let i = 0; i + width <= text.length; i += 1) all.add(text.slice(i, i + width));
  return [...all];
}

/** A name of one or two characters. */
function cjkGrams(storeKey: number, name: string): SearchGram[] {
  return (name.match(CJK_RUN) ?? []).flatMap((run) => {
    const grams = new Set<number>();
    addCjk(grams, storeKey, Array.from(run));
    return Array.from(grams, (gram) => ({ of: 'name' as const, text: run, gram }));
  });
}

function fewOf(grams: readonly SearchGram[]): SearchGram[] {
  if (grams.length <= MOST_GRAMS) return [...grams];
  return grams.filter(
    (_, i) =>
      Math.floor((i * MOST_GRAMS) / grams.length) !== Math.floor(((i - 1) * MOST_GRAMS) / grams.length),
  );
}

function addWindows(grams: Set<number>, storeKey: number, kind: string, text: string, width: number): void {
  const start = hash(hashNumber(storeKey), kind, 0, 1);
  for (let i = 0; i + width <= text.length; i += 1) grams.add(hash(start, text, i, i + width));
}

function addCjk(grams: Set<number>, storeKey: number, characters: readonly string[]): void {
  const start = hash(hashNumber(storeKey), 'd', 0, 1);
  characters.forEach((character, i) => {
    const one = hash(start, character, 0, character.length);
    grams.add(one);
    const next = characters[i + 1];
    if (next !== undefined) grams.add(hash(one, next, 0, next.length));
  });
}

// FNV-1a over UTF-16 units, kept to 32 signed bits: the stored index depends on it, so it must never change.
function hash(start: number, text: string, from: number, to: number): number {
  let value = start;
  for (let i = from; i < to; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value ^ (value >>> 15);
}

function hashNumber(storeKey: number): number {
  return Math.imul(0x811c9dc5 ^ storeKey, 0x85ebca6b);
}
