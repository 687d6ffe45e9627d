type Path = readonly (string | number)[];

/**
 * Finds the offset of a path in a valid JSON text, or of its deepest part that exists. Offsets are remembered, so a
 * hundred errors in a large menu cost hardly more than one.
 */
export function createJsonLocator(text: string): (path: Path) => number {
  const known = new Map<number, ReadonlyMap<string | number, number>>();
  const membersAt = (at: number) => {
    const members = known.get(at) ?? new Map(readMembers(text, at));
    known.set(at, members);
    return members;
  };
  return (path) => {
    let at = skipSpace(text, 0);
    for (const step of path) {
      const found = membersAt(at).get(step);
      if (found === undefined) return at;
      at = found;
    }
    return at;
  };
}

/** The offset of each member of the list or object that begins here. The last of repeated keys counts, as in the service. */
function* readMembers(text: string, start: number): Generator<[string | number, number]> {
  const isList = text[start] === '[';
  if (!isList && text[start] !== '{') return;
  let at = skipSpace(text, start + 1);
  for (let position = 0; at < text.length && !isClosing(text[at]); position += 1) {
    const endOfKey = isList ? at : skipValue(text, at);
    const value = isList ? at : skipSpace(text, skipSpace(text, endOfKey) + 1);
    yield [isList ? position : (JSON.parse(text.slice(at, endOfKey)) as string), value];
    at = nextPart(text, skipValue(text, value));
  }
}

function isClosing(sign: string | undefined): boolean {
  return sign === ']' || sign === '}';
}

/** Past the comma, if there is one. */
function nextPart(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

const SPACES = new Set([' ', '\t', '\n', '\r', '\ufeff']);

function skipSpace(text: string, start: number): number {
  let at = start;
  while (SPACES.has(text.charAt(at))) at += 1;
  return at;
}

/** Delimiters of strings, lists and objects. Everything between them is skipped at once. */
const SIGN = /["{}[\]]/g;
const END_OF_WORD = /[\s,\]}]|$/g;

/** The end of the value that begins here. */
function skipValue(text: string, start: number): number {
  const first = text[start] ?? '';
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return find(END_OF_WORD, text, start);
  let depth = 0;
  for (let at = start; at < text.length; at = find(SIGN, text, at)) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else {
      depth += sign === '{' || sign === '[' ? 1 : -1;
      at += 1;
    }
    if (depth === 0) return at;
  }
  return text.length;
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}
