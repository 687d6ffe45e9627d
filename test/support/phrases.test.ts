import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createT, type Phrase } from '../../src/support/phrases.js';
import { callsOf } from '../console/said-in-english.js';
import { blanksOf, categoriesOf, formsOf, readCatalogues } from './catalogues.js';

const ROOT = join(import.meta.dirname, '../..');

const PAGES = [
  { page: 'console', sources: 'console/src', phrases: 'console/src/text/phrases' },
  { page: 'guest', sources: 'guest/src', phrases: 'guest/src/phrases' },
] as const;

describe.each(PAGES)('the phrases of the page $page', ({ sources, phrases }) => {
  const catalogues = readCatalogues(join(ROOT, phrases));
  const english = catalogues.get('en') ?? {};
  const files = readdirSync(join(ROOT, sources), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(ROOT, sources, name));

  it('are all used', () => {
    const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const named = new Set([...code.matchAll(/'(\w+)'/g)].map(([, key]) => key));
    const made = [...code.matchAll(/`([\w${}]+)`/g)].map(
      ([, key = '']) => new RegExp(`^${key.replaceAll(/\$\{\w+\}/g, '\\w+')}$`),
    );
    const isUsed = (key: string) => named.has(key) || made.some((pattern) => pattern.test(key));
    expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
  });

  it('are given the values that they have blanks for', () => {
    for (const { keys, values } of files.flatMap(callsOf))
      for (const key of keys)
        if (values !== undefined)
          expect([key, blanksOf(english[key] ?? '').filter((name) => !values.includes(name))]).toEqual([
            key,
            [],
          ]);
  });

  it('are sorted, so that two people who add one seldom meet', () => {
    for (const catalogue of catalogues.values())
      expect(Object.keys(catalogue)).toEqual(Object.keys(english).sort());
  });

  it.each([...catalogues])(
    'have in %s the blanks of English, and every plural form',
    (language, catalogue) => {
      for (const [key, phrase] of Object.entries(catalogue)) {
        const count = ['count'];
        const without = (blanks: string[]) => blanks.filter((name) => !count.includes(name));
        expect([key, formsOf(phrase).filter((form) => form.trim() === '')]).toEqual([key, []]);
        expect([key, without(blanksOf(phrase))]).toEqual([key, without(blanksOf(english[key] ?? ''))]);
        if (typeof phrase === 'string') continue;
        expect([key, Object.keys(phrase).sort()]).toEqual([key, categoriesOf(language)]);
      }
    },
  );

  it.each([...catalogues].slice(1))('are in %s not those of English', (_, catalogue) => {
    const isSentence = (phrase: Phrase) =>
      formsOf(phrase).some((form) => form.replaceAll(/\{\w+\}/g, '').split(/\p{L}+/u).length > 4);
    const same = Object.entries(catalogue).filter(
      ([key, phrase]) => isSentence(phrase) && JSON.stringify(phrase) === JSON.stringify(english[key]),
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });
});

describe('t', () => {
  const catalogue = {
    left: { zero: 'z', one: 'o', two: 't', few: 'f {count}', many: 'm {count}', other: 'x {count}' },
    few: { one: 'one dish', other: '{count} dishes' },
    greeting: 'Hello {name}, {name}',
  };
  const t = createT(() => ({ catalogue, language: 'ar', locale: 'de' }));

  it('chooses the form by the plural rules of the language', () => {
    const said = [0, 1, 2, 5, 11, 100].map((count) => t('left', { count }));
    expect(said).toEqual(['z', 'o', 't', 'f 5', 'm 11', 'x 100']);
  });

  it('takes the other form where a category is missing, and writes numbers as the locale does', () => {
    expect(t('few', { count: 2 })).toBe('2 dishes');
    expect(t('few', { count: 1234 })).toBe('1.234 dishes');
  });

  it('fills in what was given, as it is', () => {
    expect(t('greeting', { name: '{count} $& <b>' })).toBe('Hello {count} $& <b>, {count} $& <b>');
  });
});
