/** Letters that Unicode does not decompose, in lower case, under the plain letters that PostgreSQL's `unaccent` gives them. */
const LETTERS_BY_PLAIN: Readonly<Record<string, string>> = {
  "'": 'ʹʻʼʽˈ',
  a: 'ⱥᴀᶏ',
  aa: 'ꜳ',
  ae: 'æᴁ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀɓƃʙᴃᵬᶀ',
  c: 'ƈȼɕᴄꞓ',
  d: 'ðđɖɗƌȡᴅᴆᵭᶁᶑꝱꝺ',
  db: 'ȸ',
  dz: 'ʣʥ',
  e: 'ɛɇᴇᶒᶓⱸ',
  f: 'ƒᵮᶂꜰꝼ',
  g: 'ɠǥɡɢʛᶃꞡ',
  h: 'ħɦɧʜⱨ',
  hv: 'ƕ',
  i: 'ıɩɨɪᵻᶖ',
  j: 'ȷɉɟʝᴊ',
  k: 'ƙᴋᶄⱪꝁꝃꝅꞣ',
  l: 'łƚȴɫɬɭʟᴌᶅⱡꝇꝉꝲ',
  ll: 'ỻ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ɱᴍᵯᶆꝳ',
  n: 'ŋɲƞȵɳɴᵰᶇꝴꞑꞥ',
  o: 'øᴏⱺꝋꝍ',
  oe: 'œɶ',
  oi: 'ƣ',
  oo: 'ꝏ',
  p: 'ƥᴘᵱᵽᶈꝑꝓꝕ',
  q: 'ĸʠꝗꝙ',
  qp: 'ȹ',
  r: 'ɍɼɽɾʀᵲᵳᶉꝵꝶꞧ',
  s: 'ȿʂᵴᶊẜẝꜱꞩ',
  ss: 'ß',
  t: 'ŧƫƭʈȶⱦᴛᵵꝷꞇ',
  th: 'þᵺꝥꝧ',
  ts: 'ʦ',
  u: 'ʉᴜᵾᶙ',
  ue: 'ᵫ',
  v: 'ʋᴠᶌỽⱱⱴꝟ',
  vy: 'ꝡ',
  w: 'ᴡⱳ',
  x: 'ᶍ',
  y: 'ƴɏʏỿ',
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
