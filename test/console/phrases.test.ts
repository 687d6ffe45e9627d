import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de } from '../../console/src/text/phrases/de.js';
import { en } from '../../console/src/text/phrases/en.js';
import { es } from '../../console/src/text/phrases/es.js';
import { fr } from '../../console/src/text/phrases/fr.js';
import { pt } from '../../console/src/text/phrases/pt.js';
import { phrasesOf, untranslated } from './said-in-english.js';

const SOURCES = join(import.meta.dirname, '../../console/src');
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('language/phrases/'))
  .map((name) => join(SOURCES, name));

const blanks = (phrase: string) =>
  [...new Set([...phrase.matchAll(/\{\w+\}/g)].map(([blank]) => blank))].sort();
const forms = (phrase: string) => phrase.split(' | ').length;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Read by programs, but for the one of the thread that checks files, which has no language. */
const NOT_SAID = new Set([
  'pages/places/print-codes.ts @page { size: A4; margin: 0 }',
  'pages/publish/read-document.ts The sheet has faults',
  'pages/publish/read-document.ts It is larger than … MiB.',
  'parts/timing.tsx on time',
  ...DAYS.map((day) => `parts/week.tsx ${day}`),
]);

describe('the phrases of the console', () => {
  it('are all in the list of English, and nothing else is', () => {
    const used = new Set(files.flatMap(phrasesOf).map(({ text }) => text));
    expect([...en].sort()).toEqual([...used].sort());
  });

  it('are what its pages say: no text is left outside', () => {
    const left = files.flatMap(untranslated).map(({ file, text }) => {
      return `${file.slice(SOURCES.length + 1)} ${text}`;
    });
    expect(left.filter((text) => !NOT_SAID.has(text))).toEqual([]);
  });
});

describe.each(Object.entries({ de, es, fr, pt }))('the phrases in %s', (_, phrases) => {
  it('are those of English, with the same blanks to fill in and the same forms', () => {
    expect(Object.keys(phrases).sort()).toEqual([...en].sort());
    for (const [english, phrase] of Object.entries(phrases)) {
      expect([english, phrase.trim()]).not.toEqual([english, '']);
      expect([english, blanks(phrase), forms(phrase)]).toEqual([english, blanks(english), forms(english)]);
      expect([english, phrase.includes('#')]).toEqual([english, false]);
    }
  });
});
