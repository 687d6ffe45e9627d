import { expect, it } from 'vitest';
import { cutTo, padTo } from '../../src/cli/lib/text.js';

it.each([
  ['café', 'café  '],
  ['cafe\u0301', 'cafe\u0301  '],
  ['寿司', '寿司  '],
  ['한국', '한국  '],
  ['🔔 ok', '🔔 ok '],
  ['👨‍👩‍👧', '👨‍👩‍👧    '],
  ['☎️', '☎️    '],
  ['عربي', 'عربي  '],
])('pads %s to six columns of a terminal', (text, padded) => {
  expect(padTo(text, 6)).toBe(padded);
});

it.each([
  ['寿司と天ぷら', 6, '寿司…'],
  ['cafe\u0301 solo', 5, 'cafe\u0301…'],
  ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
  ['as it is', 8, 'as it is'],
])('cuts %s to %i columns, never within a character', (text, width, cut) => {
  expect(cutTo(text, width)).toBe(cut);
});
