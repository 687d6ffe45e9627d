import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ALLERGENS,
  changeAllergens,
  nameOfAllergen,
  readAllergens,
  showAllergens,
} from '../../src/menus/allergens.js';

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar'];

it('knows fourteen allergens, in each of our languages by its own name', () => {
  expect(ALLERGENS.length).toBe(14);
  for (const language of LANGUAGES) {
    const names = ALLERGENS.map((one) => nameOfAllergen(one, language));
    expect(new Set(names).size).toBe(14);
    // Whatever the language, a name is recognised again.
    expect(readAllergens(names.join(', ')).map(({ allergen }) => allergen)).toEqual(ALLERGENS);
  }
});

it('shows words that it knows in the language of the reader, and the rest as it is', () => {
  expect(showAllergens('Milk, NUTS; soya\nroyal jelly', 'de')).toBe(
    'Milch, Schalenfrüchte, Soja, royal jelly',
  );
  expect(showAllergens('huevos, Leche.', 'en-GB')).toBe('Eggs, Milk');
  expect(showAllergens('Gluten, Milk', 'ar')).toBe('غلوتين، حليب');
  expect(showAllergens('Gluten (rye)', 'fr')).toBe('Gluten (rye)');
});

it('writes what was ticked, and leaves what stays as it was written', () => {
  const ticked = new Set(['milk', 'nuts', 'soybeans'] as const);
  expect(changeAllergens('Milk\nNuts', ticked, '', 'en')).toBe('Milk\nNuts\nSoybeans');
  expect(changeAllergens('dairy, eggs, pollen', new Set(['milk'] as const), 'pollen', 'es')).toBe(
    'dairy, pollen',
  );
  expect(changeAllergens('', ticked, 'kiwi', 'es')).toBe('Soja, Leche, Frutos secos, kiwi');
});

it('reads any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...LANGUAGES), (text, language) => {
      const others = readAllergens(text).filter(({ allergen }) => allergen === undefined);
      const shown = showAllergens(text, language);
      for (const { text: part } of others) expect(shown).toContain(part);
    }),
  );
});
