const NAME_GRAM = 3;
const PHONE_GRAM = 4;
const MOST_ASKED = 12;

/** Scripts in which one or two characters already make a name. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const DENSE_RUN = new RegExp(`${DENSE.source}+`, 'gu');

/**
 * The hashed pieces an order is indexed under: three letters of the folded name, four digits of the phone, one and two
 * characters of dense scripts. The store's number goes into the hash, so one index serves every store apart.
 * Two pieces may share a hash: what the index finds is compared again.
 */
export function gramsOfOrder(storeKey: number, name: string, digits: string): number[] {
  const grams = new Set<number>();
  addWindows(grams, storeKey, 'n', name, NAME_GRAM);
  addWindows(grams, storeKey, 'p', digits, PHONE_GRAM);
  for (const run of name.match(DENSE_RUN) ?? []) addDense(grams, storeKey, Array.from(run));
  return [...grams];
}

/** The pieces that any order matching the wanted texts is indexed under; none when the texts are too short to have one. */
export function gramsOfSearch(storeKey: number, name: string, digits: string): number[] {
  return [...fewOf(gramsOfName(storeKey, name)), ...fewOf(gramsOfDigits(storeKey, digits))];
}

function gramsOfName(storeKey: number, name: string): Set<number> {
  const grams = new Set<number>();
  addWindows(grams, storeKey, 'n', name, NAME_GRAM);
  if (grams.size > 0) return grams;
  for (const run of name.match(DENSE_RUN) ?? []) addDense(grams, storeKey, Array.from(run));
  return grams;
}

function gramsOfDigits(storeKey: number, digits: string): Set<number> {
  const grams = new Set<number>();
  addWindows(grams, storeKey, 'p', digits, PHONE_GRAM);
  return grams;
}

/** Each further piece costs the index a lookup and soon rules nothing more out: a long text gives some, evenly spread. */
function fewOf(grams: Set<number>): number[] {
  const all = [...grams];
  if (all.length <= MOST_ASKED) return all;
  return Array.from({ length: MOST_ASKED }, (_, at) => all[Math.floor((at * all.length) / MOST_ASKED)] ?? 0);
}

function addWindows(grams: Set<number>, storeKey: number, kind: string, text: string, width: number): void {
  const start = hash(hashNumber(storeKey), kind, 0, 1);
  for (let at = 0; at + width <= text.length; at += 1) grams.add(hash(start, text, at, at + width));
}

function addDense(grams: Set<number>, storeKey: number, characters: readonly string[]): void {
  const start = hash(hashNumber(storeKey), 'd', 0, 1);
  characters.forEach((character, at) => {
    const one = hash(start, character, 0, character.length);
    grams.add(one);
    const next = characters[at + 1];
    if (next !== undefined) grams.add(hash(one, next, 0, next.length));
  });
}

// FNV-1a over UTF-16 units, kept to 32 signed bits: the stored index depends on it, so it must never change.
function hash(start: number, text: string, from: number, to: number): number {
  let value = start;
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value ^ (value >>> 15);
}

function hashNumber(storeKey: number): number {
  return Math.imul(0x811c9dc5 ^ storeKey, 0x85ebca6b);
}
