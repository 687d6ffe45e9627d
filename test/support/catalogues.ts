import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue, Phrase } from '../../src/support/phrases.js';

/** The catalogues in a folder, by language; English first. */
export function readCatalogues(folder: string): Map<string, Catalogue<string>> {
  const languages = readdirSync(folder).map((name) => name.replace('.json', ''));
  return new Map(
    ['en', ...languages.filter((language) => language !== 'en').sort()].map((language) => [
      language,
      JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Catalogue<string>,
    ]),
  );
}

export function formsOf(phrase: Phrase): string[] {
  return typeof phrase === 'string' ? [phrase] : Object.values(phrase);
}

export function blanksOf(phrase: Phrase): string[] {
  const found = formsOf(phrase).flatMap((form) =>
    [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  );
  return [...new Set(found)].sort();
}

/** The categories that counts up to a thousand need: `many` of Spanish begins with a million. */
export function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)))].sort();
}
