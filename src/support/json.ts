import { ValidationFailed } from './error-details.js';
import { countCharacters } from './shape/values.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const COMMA = 0x2c;

interface JsonLimits {
  readonly maxDepth: number;
  /** Absent if the size limit of the document is enough. */
  readonly maxValues?: number;
  /** An integer that a double cannot hold is read as Infinity, which every check refuses at its place. */
  readonly exactIntegers?: boolean;
}

/**
 * Reads a JSON document; invalid UTF-8, bad syntax and nesting or values past the limit are 422 `json_invalid` at an
 * offset, which counts characters.
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const text = decodeUtf8(bytes);
  const excess = findExcess(bytes, limits);
  if (excess !== undefined) {
    const before = STRICT_UTF8.decode(bytes.subarray(0, excess.index));
    throw invalidJson(before, excess.reason);
  }
  try {
    const value = JSON.parse(text) as unknown;
    const marked = limits.exactIntegers === true ? markInexactIntegers(text) : text;
    return marked === text ? value : (JSON.parse(marked) as unknown);
  } catch {
    const { offset, reason } = locateJsonError(text);
    throw invalidJson(text.slice(0, offset), reason);
  }
}

/** Few texts have so many digits in a row; only these are read token by token. */
const CANDIDATE = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?\d{16,}$/;
/** More digits than the largest double has: JSON.parse reads Infinity. */
const MOST_DIGITS = 310;

/** JSON has no word for infinity; 1e999 is how it writes one. The text must be JSON. */
function markInexactIntegers(text: string): string {
  if (!CANDIDATE.test(text)) return text;
  return text.replace(STRING_OR_NUMBER, (token) => {
    if (token.length > MOST_DIGITS || !INTEGER.test(token)) return token;
    const value = Number(token);
    // A double may be written with fewer digits than it has; JSON.stringify does so.
    if (!Number.isFinite(value) || String(value) === token || BigInt(value) === BigInt(token)) return token;
    return value < 0 ? '-1e999' : '1e999';
  });
}

/** Parses an optional request body; empty and null count as absent. */
export function parseOptionalBody(bytes: Uint8Array, limits: JsonLimits): unknown {
  return bytes.length === 0 ? undefined : (parseJson(bytes, limits) ?? undefined);
}

export function parseBody(bytes: Uint8Array, limits: JsonLimits): unknown {
  const value = parseOptionalBody(bytes, limits);
  if (value === undefined) throw missingBody();
  return value;
}

export function missingBody(): ValidationFailed {
  return new ValidationFailed([{ loc: ['body'], msg: 'Field required', type: 'missing', input: null }]);
}

/** `before` is the readable text up to the error; without it there is no position to report. */
export function invalidJson(before: string | undefined, reason: string): ValidationFailed {
  return new ValidationFailed([
    {
      loc: ['body', before === undefined ? 0 : countCharacters(before)],
      msg: 'JSON decode error',
      type: 'json_invalid',
      input: {},
      ctx: { error: reason, ...(before === undefined ? {} : placeAfter(before)) },
    },
  ]);
}

/** Line and column, both from 1, the column in characters. */
function placeAfter(text: string): { readonly line: number; readonly column: number } {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) line += 1;
  return { line, column: countCharacters(text.slice(text.lastIndexOf('\n') + 1)) + 1 };
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes);
    const before = text.slice(0, Math.max(text.indexOf('\ufffd'), 0));
    throw invalidJson(before, 'Invalid UTF-8');
  }
}

/** Counts brackets and commas outside strings, so that later steps need not guard against recursion or a flood of small values. */
function findExcess(
  bytes: Uint8Array,
  { maxDepth, maxValues = Infinity }: JsonLimits,
): { readonly index: number; readonly reason: string } | undefined {
  let depth = 0;
  let values = 1;
  const { length } = bytes;
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = endOfString(bytes, i + 1, length);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return { index: i, reason: `Nesting deeper than ${maxDepth} levels` };
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) return { index: i, reason: `More than ${maxValues} values` };
    }
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number, length: number): number {
  let i = start;
  while (i < length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

const WHITESPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const PLAIN_STRING_PART = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Stop extends Error {
  constructor(
    readonly offset: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Finds the position of a syntax error, which JSON.parse does not always report.
 * Recursive, so the nesting depth must be checked first.
 */
function locateJsonError(text: string): Pick<Stop, 'offset' | 'reason'> {
  try {
    const end = skip(WHITESPACE, text, readValue(text, skip(WHITESPACE, text, 0)));
    return { offset: end, reason: 'Extra data' };
  } catch (error) {
    if (error instanceof Stop) return error;
    throw error;
  }
}

function readValue(text: string, i: number): number {
  switch (text.charAt(i)) {
    case '{':
      return readMembers(text, i, '}', readMember);
    case '[':
      return readMembers(text, i, ']', readValue);
    case '"':
      return readString(text, i);
    default: {
      const end = Math.max(skip(NUMBER, text, i), skip(LITERAL, text, i));
      return end > i ? end : fail(i, 'Expecting value');
    }
  }
}

function readMembers(text: string, start: number, close: string, readOne: typeof readValue): number {
  let i = skip(WHITESPACE, text, start + 1);
  if (text[i] === close) return i + 1;
  for (;;) {
    i = skip(WHITESPACE, text, readOne(text, i));
    if (text[i] === close) return i + 1;
    if (text[i] !== ',') return fail(i, "Expecting ',' delimiter");
    i = skip(WHITESPACE, text, i + 1);
  }
}

function readMember(text: string, start: number): number {
  if (text[start] !== '"') return fail(start, 'Expecting property name enclosed in double quotes');
  const i = skip(WHITESPACE, text, readString(text, start));
  if (text[i] !== ':') return fail(i, "Expecting ':' delimiter");
  return readValue(text, skip(WHITESPACE, text, i + 1));
}

function readString(text: string, start: number): number {
  let i = start + 1;
  for (;;) {
    i = skip(PLAIN_STRING_PART, text, i);
    if (i >= text.length) return fail(start, 'Unterminated string starting at');
    if (text[i] === '"') return i + 1;
    if (text[i] !== '\\') return fail(i, 'Invalid control character at');
    const end = skip(ESCAPE, text, i);
    // Messages are those of Python's json module, which FastAPI passes on.
    if (end === i && text[i + 1] === 'u') return fail(i + 1, 'Invalid \\uXXXX escape');
    i = end > i ? end : fail(i, 'Invalid \\escape');
  }
}

function skip(pattern: RegExp, text: string, i: number): number {
  pattern.lastIndex = i;
  return pattern.test(text) ? pattern.lastIndex : i;
}

function fail(offset: number, reason: string): never {
  throw new Stop(offset, reason);
}
