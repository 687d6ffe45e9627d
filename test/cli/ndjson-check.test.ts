import { expect, it } from 'vitest';
import { createNdjsonCheck } from '../../src/cli/lib/transfer.js';

const MIB = Buffer.alloc(1024 * 1024, 'x');

it('counts lines and tells the last one, however they are cut', () => {
  const check = createNdjsonCheck();
  for (const part of ['{"a":1}\n{"b"', ':2}', '\n{"c":3}\n']) check.add(Buffer.from(part));
  expect(check.count()).toBe(3);
  expect(check.finish()).toBe('{"c":3}');
});

it.each([
  ['no object', '{"a":1}\n[]\n', 'Line 2 of the response is broken: it is not a JSON object'],
  ['cut short', '{"a":1}\n{"b":', 'Line 2 of the response is broken: it is not a JSON object'],
])('refuses a line that is %s', (_, text, sentence) => {
  const check = createNdjsonCheck();
  expect(() => {
    check.add(Buffer.from(text));
    check.finish();
  }).toThrow(sentence);
});

it('refuses a line without end, and takes any number of long ones', () => {
  const check = createNdjsonCheck();
  for (let line = 0; line < 3; line += 1) {
    check.add(Buffer.from('{"menu":"'));
    for (let at = 0; at < 100; at += 1) check.add(MIB);
    check.add(Buffer.from('"}\n'));
  }
  check.add(Buffer.from('{"menu":"'));
  expect(() => {
    for (let at = 0; at < 300; at += 1) check.add(MIB);
  }).toThrow('Line 4 of the response is broken: it is too long');
});
