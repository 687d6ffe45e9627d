import './speak-english.js';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import english from '../../console/src/text/phrases/en.json' with { type: 'json' };
import { setLanguage } from '../../console/src/text/t.js';

const { auditWord, memberWord, valueWord } = await import('../../console/src/pages/fleet/audit-words.js');

/** Types of entries, as the code that writes the audit log names them. */
function readTypes(): string[] {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`src/${path}`, 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(/(?:audit(?:Key)?|writeEntry)\(\s*\w+,\s*'([a-z_.]+)'/g)].map(
      ([, type = '']) => type,
    ),
  );
}

it('has words for every type of entry that is written', () => {
  const types = readTypes();
  expect(types.length).toBeGreaterThan(30);
  expect(types.filter((type) => auditWord(type) === type)).toEqual([]);
});

it('tells values in words, never as JSON', () => {
  const words = (value: unknown) => valueWord(value, 'Europe/Madrid');
  expect(memberWord('prep_type')).toBe('Station');
  expect(words({ in_stock: true, prep_type: 'Grill' })).toBe('In stock: yes; Station: Grill');
  expect(words({ translations: { en: 'Corner Café', es: 'Café' } })).toBe('Corner Café');
  expect(words({ width: 800, height: 600, id: '0f', bytes: 9 })).toBe('800 × 600');
  expect(words(['menu:write', 'card'])).toMatch(/^[A-Z].*, Card$/);
  expect(words('2026-11-18T19:43:40.931Z')).toBe('Wed 18 Nov, 20:43');
  expect(words({ characters: 3000 })).toBe('3,000 characters');
  expect(words({ on: 'accepted', prints: 'kitchen' })).toBe(
    'Prints new orders: once they are accepted; Prints: Tickets for the kitchen',
  );
  expect(words(null)).toBe('–');
});

it('lists with the comma of the language', () => {
  const list = () => valueWord(['Grill', 'Bar'], 'Europe/Madrid');
  expect(list()).toBe('Grill, Bar');
  onTestFinished(() => setLanguage('en', english, 'en-GB'));
  setLanguage('ar', english, 'ar');
  expect(list()).toBe('Grill، Bar');
});
