import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValidationFailed } from '../../src/support/error-details.js';
import { parseJson } from '../../src/support/json.js';

const read = (text: string | Uint8Array, maxDepth = 32) =>
  parseJson(typeof text === 'string' ? Buffer.from(text) : text, { maxDepth });

function errorOf(text: string | Uint8Array, maxDepth?: number) {
  try {
    read(text, maxDepth);
  } catch (error) {
    if (error instanceof ValidationFailed) return error.errors[0];
    throw error;
  }
  throw new Error('accepted');
}

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(read(text))).toBe(text);
      }),
    );
  });

  it.each([
    ['', 0, 'Expecting value'],
    ['{"a":}', 5, 'Expecting value'],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['{a:1}', 1, 'Expecting property name enclosed in double quotes'],
    ['[1,]', 3, 'Expecting value'],
    ['[1] x', 4, 'Extra data'],
    ['"abc', 0, 'Unterminated string starting at'],
    ['["a\nb"]', 3, 'Invalid control character at'],
    ['["\\x"]', 2, 'Invalid \\escape'],
    ['["\\u12"]', 3, 'Invalid \\uXXXX escape'],
    ['["\u{1f35c}",]', 5, 'Expecting value'],
    ['01', 1, 'Extra data'],
    ['NaN', 0, 'Expecting value'],
  ])('says where %j goes wrong', (text, offset, error) => {
    expect(errorOf(text)).toEqual({
      loc: ['body', offset],
      msg: 'JSON decode error',
      type: 'json_invalid',
      input: {},
      ctx: { error, line: 1, column: offset + 1 },
    });
  });

  it('counts lines, and the characters of the last one', () => {
    expect(errorOf('{\n  "a": "\u{1f35c}",\n  "\u{1f35c}" 1}')).toMatchObject({
      loc: ['body', 20],
      ctx: { error: "Expecting ':' delimiter", line: 3, column: 7 },
    });
  });

  it('finds an offset for every text that JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        fc.string({ maxLength: 2 }),
        (value, at, noise) => {
          const text = JSON.stringify(value);
          const broken =
            text.slice(0, at % (text.length + 1)) + noise + text.slice((at % (text.length + 1)) + 1);
          let isValid = true;
          try {
            JSON.parse(broken);
          } catch {
            isValid = false;
          }
          if (isValid || !broken.isWellFormed()) return;
          expect(errorOf(broken)?.type).toBe('json_invalid');
        },
      ),
    );
  });

  it('refuses nesting past the limit at the bracket that goes too far, brackets in strings apart', () => {
    expect(errorOf('[[["]["]]]', 2)?.loc).toEqual(['body', 2]);
    expect(read('[["[[[["]]', 2)).toEqual([['[[[[']]);
    expect(errorOf('['.repeat(1_000_000))?.loc).toEqual(['body', 32]);
  });

  it('refuses invalid UTF-8', () => {
    expect(errorOf(Buffer.from([0x22, 0xff, 0x22]))?.loc).toEqual(['body', 1]);
  });

  it('keeps __proto__ as a key', () => {
    expect(Object.keys(read('{"__proto__":{"x":1}}') as object)).toEqual(['__proto__']);
  });
});

describe('exact integers', () => {
  const readExactly = (text: string) => parseJson(Buffer.from(text), { maxDepth: 32, exactIntegers: true });

  it('are read as Infinity where a double would round them, other numbers as they are', () => {
    expect(
      readExactly('{"a":[9007199254740993,-9007199254740993,9007199254740992,100.0000000000000001,1e21]}'),
    ).toEqual({ a: [Infinity, -Infinity, 9007199254740992, 100, 1e21] });
    const text = '{"9007199254740993":"9007199254740993 \\" 9007199254740993"}';
    expect(JSON.stringify(readExactly(text))).toBe(text);
  });

  it('change nothing that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(readExactly(text))).toBe(text);
      }),
    );
  });

  it('take a time that grows with the text, and find errors as before', () => {
    expect(readExactly(`[${'1'.repeat(1_000_000)}]`)).toEqual([Infinity]);
    expect(readExactly(`[0.${'1'.repeat(1_000_000)}]`)).toEqual([0.1111111111111111]);
    // Quadratic if every quote were looked at.
    expect(() => readExactly(`"1234567890123456${'\\"'.repeat(500_000)}`)).toThrow(ValidationFailed);
    expect(() => readExactly('[01234567890123456789]')).toThrow(ValidationFailed);
  });
});
