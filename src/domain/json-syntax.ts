export interface JsonSyntaxError {
  readonly offset: number;
  readonly reason: string;
}

const WHITESPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const PLAIN_STRING_PART = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Stop extends Error {
  constructor(readonly at: JsonSyntaxError) {
    super(at.reason);
  }
}

/**
 * Finds where a text that JSON.parse refused goes wrong, since JSON.parse itself does not always say.
 * The text must already be known to nest no deeper than the limit, because this descends by recursion.
 */
export function locateJsonError(text: string): JsonSyntaxError {
  try {
    const end = skip(WHITESPACE, text, readValue(text, skip(WHITESPACE, text, 0)));
    return { offset: end, reason: 'Extra data' };
  } catch (error) {
    if (error instanceof Stop) return error.at;
    throw error;
  }
}

function readValue(text: string, at: number): number {
  switch (text.charAt(at)) {
    case '{':
      return readMembers(text, at, '}', readMember);
    case '[':
      return readMembers(text, at, ']', readValue);
    case '"':
      return readString(text, at);
    default: {
      const end = Math.max(skip(NUMBER, text, at), skip(LITERAL, text, at));
      return end > at ? end : fail(at, 'Expecting value');
    }
  }
}

function readMembers(text: string, start: number, close: string, readOne: typeof readValue): number {
  let at = skip(WHITESPACE, text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skip(WHITESPACE, text, readOne(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return fail(at, "Expecting ',' delimiter");
    at = skip(WHITESPACE, text, at + 1);
  }
}

function readMember(text: string, start: number): number {
  if (text[start] !== '"') return fail(start, 'Expecting property name enclosed in double quotes');
  const at = skip(WHITESPACE, text, readString(text, start));
  if (text[at] !== ':') return fail(at, "Expecting ':' delimiter");
  return readValue(text, skip(WHITESPACE, text, at + 1));
}

function readString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = skip(PLAIN_STRING_PART, text, at);
    if (at >= text.length) return fail(start, 'Unterminated string starting at');
    if (text[at] === '"') return at + 1;
    if (text[at] !== '\\') return fail(at, 'Invalid control character at');
    const end = skip(ESCAPE, text, at);
    // The words of Python's json module, which FastAPI passes on, here as everywhere in this file.
    if (end === at && text[at + 1] === 'u') return fail(at + 1, 'Invalid \\uXXXX escape');
    at = end > at ? end : fail(at, 'Invalid \\escape');
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function fail(offset: number, reason: string): never {
  throw new Stop({ offset, reason });
}
