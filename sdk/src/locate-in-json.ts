/** Where in a JSON text a path leads: its deepest part that is there. The text must be valid. */
export function locateInJson(text: string, path: readonly (string | number)[]): number {
  let at = skipSpace(text, 0);
  for (const step of path) {
    const found = typeof step === 'number' ? findElement(text, at, step) : findMember(text, at, step);
    if (found === undefined) return at;
    at = found;
  }
  return at;
}

function findMember(text: string, start: number, name: string): number | undefined {
  if (text[start] !== '{') return undefined;
  let found: number | undefined;
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const endOfKey = skipValue(text, at);
    const key = JSON.parse(text.slice(at, endOfKey)) as string;
    const value = skipSpace(text, skipSpace(text, endOfKey) + 1);
    // Of a key that comes twice the last one counts, as it does for the service.
    if (key === name) found = value;
    at = nextPart(text, skipValue(text, value));
  }
  return found;
}

function findElement(text: string, start: number, position: number): number | undefined {
  if (text[start] !== '[') return undefined;
  let at = skipSpace(text, start + 1);
  for (let passed = 0; passed < position && at < text.length && text[at] !== ']'; passed += 1)
    at = nextPart(text, skipValue(text, at));
  return at >= text.length || text[at] === ']' ? undefined : at;
}

/** Past the comma, if there is one. */
function nextPart(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/[\s\ufeff]/.test(text[at] ?? '')) at += 1;
  return at;
}

/** The end of the value that begins here. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (depth > 0 || !isLastOfWord(text, at)) continue;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Whether a number, true, false or null ends here. */
function isLastOfWord(text: string, at: number): boolean {
  return at + 1 >= text.length || /[\s,\]}]/.test(text[at + 1] ?? '');
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
