import { ValidationFailed } from './faults.js';
import { locateJsonError } from './json-syntax.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Reads a JSON document; invalid UTF-8, bad syntax and nesting past the limit are 422 `json_invalid` at an offset. */
export function parseJson(bytes: Uint8Array, { maxDepth }: { maxDepth: number }): unknown {
  const text = decodeUtf8(bytes);
  const tooDeepAt = findTooDeep(bytes, maxDepth);
  if (tooDeepAt !== undefined) throw invalidJson(tooDeepAt, `Nesting deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { offset, reason } = locateJsonError(text);
    throw invalidJson(offset, reason);
  }
}

export function invalidJson(offset: number, reason: string): ValidationFailed {
  return new ValidationFailed([
    {
      loc: ['body', offset],
      msg: 'JSON decode error',
      type: 'json_invalid',
      input: {},
      ctx: { error: reason },
    },
  ]);
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    const offset = new TextDecoder('utf-8').decode(bytes).indexOf('\ufffd');
    throw invalidJson(Math.max(offset, 0), 'Invalid UTF-8');
  }
}

/** Counts brackets outside strings, so that nothing later has to fear recursion. */
function findTooDeep(bytes: Uint8Array, maxDepth: number): number | undefined {
  let depth = 0;
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1, length);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > maxDepth) return at;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number, length: number): number {
  let at = start;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
