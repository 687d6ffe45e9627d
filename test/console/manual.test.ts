import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Catalogue } from '../../src/support/phrases.js';
import { formsOf, readCatalogues } from '../support/catalogues.js';
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

const catalogues = readCatalogues('console/src/text/phrases');
const english = catalogues.get('en') ?? {};

it('what the manual tells to tap is in the console', () => {
  // A sentence in strong type is the heading of a paragraph; anything else is a label.
  const labels = texts.flatMap(strongIn).filter((part) => !/[.?]$/.test(part));
  expect(labels.length).toBeGreaterThan(10);
  expect(labels.filter((label) => meaningsOf(label, english).length === 0)).toEqual([]);
});

it.each([...catalogues].slice(1))(
  'the manual in %s tells to tap what the console says',
  (language, catalogue) => {
    const file = `docs/staff.${language}.md`;
    expect(readManual(readFileSync(file, 'utf8')).map((piece) => piece.is)).toEqual(
      pieces.map((piece) => piece.is),
    );
    const translated = readTexts(file);
    expect(translated.length).toBe(texts.length);
    for (const [i, text] of texts.entries()) {
      const labels = strongIn(text).map((label) => (/[.?]$/.test(label) ? [] : meaningsOf(label, catalogue)));
      const given = strongIn(translated[i] ?? '');
      expect([text, given.length]).toEqual([text, labels.length]);
      for (const [j, allowed] of labels.entries())
        if (allowed.length > 0) expect(allowed).toContain(given[j]);
    }
  },
);

/** An English word may stand for several phrases. */
function meaningsOf(label: string, catalogue: Catalogue<string>): string[] {
  return Object.entries(english)
    .filter(([, phrase]) => formsOf(phrase).includes(label))
    .flatMap(([key]) => formsOf(catalogue[key] ?? ''));
}
