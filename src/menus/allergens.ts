/**
 * The fourteen allergens that menus usually name, in the languages of our pages. On the wire allergens are any text: words of
 * this list are recognised in it and shown in the reader's language; the rest is shown as it is written.
 */
const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar'] as const;

/** In the order of `LANGUAGES`; after a slash, other words for the same. */
const NAMES = {
  gluten:
    'Gluten/cereals containing gluten/wheat|Gluten/trigo|Gluten/blé|Gluten/Weizen|Glúten/trigo|غلوتين/قمح',
  crustaceans:
    'Crustaceans/shellfish|Crustáceos/marisco|Crustacés|Krebstiere/Krustentiere|Crustáceos/marisco|قشريات',
  eggs: 'Eggs/egg|Huevos/huevo|Œufs/œuf/oeufs|Eier/Ei|Ovos/ovo|بيض',
  fish: 'Fish|Pescado|Poisson|Fisch|Peixe|سمك',
  peanuts:
    'Peanuts/peanut|Cacahuetes/cacahuete/maní|Arachides/cacahuètes|Erdnüsse/Erdnuss|Amendoins/amendoim|فول سوداني',
  soybeans: 'Soybeans/soy/soya|Soja|Soja|Soja|Soja|صويا',
  milk: 'Milk/dairy/lactose|Leche/lácteos/lactosa|Lait|Milch/Laktose|Leite/lactose|حليب',
  nuts: 'Nuts/tree nuts|Frutos secos/frutos de cáscara|Fruits à coque|Schalenfrüchte/Nüsse|Frutos de casca rija/frutos secos|مكسرات',
  celery: 'Celery|Apio|Céleri|Sellerie|Aipo|كرفس',
  mustard: 'Mustard|Mostaza|Moutarde|Senf|Mostarda|خردل',
  sesame: 'Sesame/sesame seeds|Sésamo|Sésame|Sesam|Sésamo|سمسم',
  sulphites: 'Sulphites/sulfites/sulphur dioxide|Sulfitos|Sulfites|Sulfite/Schwefeldioxid|Sulfitos|كبريتيت',
  lupin: 'Lupin|Altramuces|Lupin|Lupinen|Tremoço|ترمس',
  molluscs: 'Molluscs/mollusks|Moluscos|Mollusques|Weichtiere|Moluscos|رخويات',
} as const;

export type Allergen = keyof typeof NAMES;

export const ALLERGENS = Object.keys(NAMES) as Allergen[];

const BETWEEN = /\s*[,;،\n]\s*/;

const known = new Map(
  ALLERGENS.flatMap((allergen) =>
    NAMES[allergen].split(/[|/]/).map((word) => [fold(word), allergen] as const),
  ),
);

export function nameOfAllergen(allergen: Allergen, language: string): string {
  const index = LANGUAGES.findIndex((one) => one === language.toLowerCase().split('-')[0]);
  const words = NAMES[allergen].split('|');
  return (words[index] ?? words[0] ?? allergen).split('/')[0] ?? allergen;
}

/** The parts of a text, each with the allergen that it names, if it is one of the usual. */
export function readAllergens(
  text: string,
): { readonly text: string; readonly allergen: Allergen | undefined }[] {
  return text
    .replaceAll('\r', '')
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ text: part, allergen: known.get(fold(part)) }));
}

export function showAllergens(text: string, language: string): string {
  return readAllergens(text)
    .map(({ text: part, allergen }) => (allergen === undefined ? part : nameOfAllergen(allergen, language)))
    .join(commaOf(language));
}

export const commaOf = (language: string) => (language.startsWith('ar') ? '، ' : ', ');

/** The text with other allergens ticked: what stays is written as it was. */
export function changeAllergens(
  text: string,
  ticked: ReadonlySet<Allergen>,
  others: string,
  language: string,
): string {
  const parts = readAllergens(text);
  const kept = parts.filter(({ allergen }) => allergen !== undefined && ticked.has(allergen));
  const there = new Set(kept.map(({ allergen }) => allergen));
  const added = ALLERGENS.filter((one) => ticked.has(one) && !there.has(one));
  const between = /[,;،\n]/.exec(text)?.[0] === '\n' ? '\n' : ', ';
  return [
    ...kept.map((part) => part.text),
    ...added.map((one) => nameOfAllergen(one, language)),
    ...readAllergens(others).map((part) => part.text),
  ].join(between);
}

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^contains:?\s+/, '')
    .replace(/\.$/, '')
    .trim();
}
