import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { de } from '../../console/src/text/phrases/de.js';
import { es } from '../../console/src/text/phrases/es.js';
import { fr } from '../../console/src/text/phrases/fr.js';
import { pt } from '../../console/src/text/phrases/pt.js';
import { emphasised, readManual } from '../../console/src/pages/help/manual.js';

const readTexts = (file: string) =>
  readManual(readFileSync(file, 'utf8')).flatMap((piece) => ('items' in piece ? piece.items : [piece.text]));
const strongIn = (text: string) => emphasised(text).filter((_, i) => i % 2 === 1);

const pieces = readManual(readFileSync('docs/staff.md', 'utf8'));
const texts = readTexts('docs/staff.md');

it('the manual for the staff is shown without a trace of its markup', () => {
  expect(pieces[0]).toEqual({ is: 'title', text: 'For the staff' });
  expect(new Set(pieces.map((piece) => piece.is))).toEqual(
    new Set(['title', 'section', 'paragraph', 'list', 'steps']),
  );
  for (const text of texts) {
    // Plain and strong parts in turn, the last one plain.
    expect([text, emphasised(text).length % 2]).toEqual([text, 1]);
    expect(emphasised(text).join('')).not.toMatch(/[*#`_|\n]|\]\(|^- |^\d+\. /);
  }
});

it('what the manual tells to tap is in the console', () => {
  const sources = readdirSync('console/src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join('console/src', path), 'utf8'))
    .join('\n');
  const strong = texts.flatMap(strongIn);
  // A sentence in strong type is the heading of a paragraph; anything else is a label.
  const labels = strong.filter((part) => !/[.?]$/.test(part));
  expect(labels.length).toBeGreaterThan(10);
  const isShown = (label: string) => new RegExp(`['">\`\\s]${label}['"<\`\\s]`).test(sources);
  expect(labels.filter((label) => !isShown(label))).toEqual([]);
});

it.each(Object.entries({ de, es, fr, pt }))(
  'the manual in %s tells to tap what the console says',
  (language, phrases) => {
    const file = `docs/staff.${language}.md`;
    expect(readManual(readFileSync(file, 'utf8')).map((piece) => piece.is)).toEqual(
      pieces.map((piece) => piece.is),
    );
    const translated = readTexts(file);
    expect(translated.length).toBe(texts.length);
    for (const [i, text] of texts.entries()) {
      const labels = strongIn(text).map((label) => (/[.?]$/.test(label) ? [] : meaningsOf(label, phrases)));
      const given = strongIn(translated[i] ?? '');
      expect([text, given.length]).toEqual([text, labels.length]);
      for (const [j, allowed] of labels.entries())
        if (allowed.length > 0) expect(allowed).toContain(given[j]);
    }
  },
);

/** A word may stand for several phrases, told apart by what follows a `#`. */
function meaningsOf(label: string, phrases: Readonly<Record<string, string>>): string[] {
  return Object.entries(phrases)
    .filter(([phrase]) => phrase.split('#')[0] === label)
    .map(([, translated]) => translated);
}
