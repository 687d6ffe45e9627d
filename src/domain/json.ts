import { ValidationFailed } from './faults.js';
import { locateJsonError } from './json-syntax.js';
import { countCharacters } from './shape/scalars.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const COMMA = 0x2c;

interface JsonLimits {
  readonly maxDepth: number;
  /** Absent where the size of the document is limit enough. */
  readonly maxValues?: number;
}

/**
 * Reads a JSON document; invalid UTF-8, bad syntax and nesting or values past the limit are 422 `json_invalid` at an
 * offset, which counts characters.
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const text = decodeUtf8(bytes);
  const excess = findExcess(bytes, limits);
  if (excess !== undefined) {
    const before = STRICT_UTF8.decode(bytes.subarray(0, excess.at));
    throw invalidJson(before, excess.reason);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { offset, reason } = locateJsonError(text);
    throw invalidJson(text.slice(0, offset), reason);
  }
}

/** The body of a request; nothing at all, and null, stand for a body that was left out. */
export function parseOptionalBody(bytes: Uint8Array, limits: JsonLimits): unknown {
  return bytes.length === 0 ? undefined : (parseJson(bytes, limits) ?? undefined);
}

/** The body of a request that needs one. */
export function parseBody(bytes: Uint8Array, limits: JsonLimits): unknown {
  const value = parseOptionalBody(bytes, limits);
  if (value === undefined) throw missingBody();
  return value;
}

export function missingBody(): ValidationFailed {
  return new ValidationFailed([{ loc: ['body'], msg: 'Field required', type: 'missing', input: null }]);
}

/** `before` is what can be read up to the fault; without it there is no place to name. */
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

/** Both count from 1, the column in characters. */
function placeAfter(text: string): { readonly line: number; readonly column: number } {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1;
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

/** Counts brackets and commas outside strings, so that nothing later has to fear recursion or a flood of small values. */
function findExcess(
  bytes: Uint8Array,
  { maxDepth, maxValues = Infinity }: JsonLimits,
): { readonly at: number; readonly reason: string } | undefined {
  let depth = 0;
  let values = 1;
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1, length);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return { at, reason: `Nesting deeper than ${maxDepth} levels` };
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) return { at, reason: `More than ${maxValues} values` };
    }
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number, length: number): number {
  let at = start;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
