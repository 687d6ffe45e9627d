const NAME_GRAM = 3;
const PHONE_GRAM = 4;
const MOST_GRAMS = 24;

/** Scripts in which one or two characters already make a name. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const DENSE_RUN = new RegExp(`${DENSE.source}+`, 'gu');

/**
 * The hashed parts an order is indexed under: three letters of the folded name, four digits of the phone, one and two
 * characters of dense scripts. The store's number goes into the hash, so one index serves every store apart.
 * Two of them may share a hash: what the index finds is compared again.
 */
export function gramsOfOrder(storeKey: number, name: string, digits: string): number[] {
  const grams = new Set<number>();
  addWindows(grams, storeKey, 'n', name, NAME_GRAM);
  addWindows(grams, storeKey, 'p', digits, PHONE_GRAM);
  for (const run of name.match(DENSE_RUN) ?? []) addDense(grams, storeKey, Array.from(run));
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
  return [...fewOf(ofName.length > 0 ? ofName : denseGrams(storeKey, name)), ...fewOf(ofDigits)];
}

function searchGram(storeKey: number, of: SearchGram['of'], text: string, kind: string): SearchGram {
  return { of, text, gram: hash(hash(hashNumber(storeKey), kind, 0, 1), text, 0, text.length) };
}

function windows(text: string, width: number): string[] {
  const all = new Set<string>();
  for (let at = 0; at + width <= text.length; at += 1) all.add(text.slice(at, at + width));
  return [...all];
}

/** A name of one or two characters. */
function denseGrams(storeKey: number, name: string): SearchGram[] {
  return (name.match(DENSE_RUN) ?? []).flatMap((run) => {
    const grams = new Set<number>();
    addDense(grams, storeKey, Array.from(run));
    return Array.from(grams, (gram) => ({ of: 'name' as const, text: run, gram }));
  });
}

function fewOf(grams: readonly SearchGram[]): SearchGram[] {
  if (grams.length <= MOST_GRAMS) return [...grams];
  return grams.filter(
    (_, at) =>
      Math.floor((at * MOST_GRAMS) / grams.length) !== Math.floor(((at - 1) * MOST_GRAMS) / grams.length),
  );
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
