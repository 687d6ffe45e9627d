import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { untranslated } from './said-in-english.js';

const SOURCES = join(import.meta.dirname, '../../console/src');
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(SOURCES, name));

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Read by programs, but for the one of the thread that checks files, which has no language. */
const NOT_SAID = new Set([
  'pages/settings/places/print-codes.ts @page { size: A4; margin: 0 }',
  'pages/menu/publish/read-document.ts The sheet has errors',
  'pages/menu/publish/read-document.ts It is larger than … MiB.',
  'pages/orders/timing.tsx on time',
  ...DAYS.map((day) => `text/hours.ts ${day}`),
]);

it('the console says nothing that is not in its catalogues', () => {
  const left = files.flatMap(untranslated).map(({ file, text }) => {
    return `${file.slice(SOURCES.length + 1)} ${text}`;
  });
  expect(left.filter((text) => !NOT_SAID.has(text))).toEqual([]);
});
