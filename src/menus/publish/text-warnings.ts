import { shortText } from '../../support/error-details.js';
import { FULL_EFFORT, nearestTo, type Effort } from '../../support/did-you-mean.js';
import type { MultilingualText } from '../../support/shape/common-shapes.js';
import { KINDS, LIST_OF, NOUN_OF, type Kind } from '../kinds.js';
import { memberOf } from '../../support/maps.js';
import { FIELDS_OF, type MenuConfiguration } from '../shapes.js';
import type { Warn } from './prepared-menu.js';

/** What is probably a slip in the words of a configuration: in its keys, its languages, its names. */

/** Fields of answers that may be posted back, and are ignored. */
const OF_ANSWERS = new Set(['id', 'prep_type']);
/** A body with more different unknown keys than this is not made by hand. */
const MOST_LOOKED_AT = 1_000;

type FindMeant = (key: string) => string | undefined;

/**
 * Unknown keys are ignored. One that resembles a missing field is probably a typo. Any other is reported once by name, so that
 * photos or tax rates do not vanish silently.
 */
export function warnOfUnknownKeys(body: unknown, warn: Warn): void {
  const effort = { left: FULL_EFFORT };
  const lists = KINDS.map((kind) => LIST_OF[kind]);
  const ignored: Ignored = new Map();
  warnOfKeys(body, [], createMeant(lists, effort), lists, warn, ignored);
  tellIgnored('the configuration', ignored, warn);
  for (const kind of KINDS) warnOfEntities(body, kind, effort, warn);
}

function warnOfEntities(body: unknown, kind: Kind, effort: Effort, warn: Warn): void {
  const entities = memberOf(body, LIST_OF[kind]);
  if (!Array.isArray(entities)) return;
  const findMeant = createMeant(FIELDS_OF[kind], effort);
  const ignored: Ignored = new Map();
  entities.forEach((entity: unknown, i) =>
    warnOfKeys(entity, [LIST_OF[kind], i], findMeant, FIELDS_OF[kind], warn, ignored),
  );
  tellIgnored(`the ${LIST_OF[kind]}`, ignored, warn);
}

/** By key: where it comes first, and how often. */
type Ignored = Map<string, { readonly loc: readonly (string | number)[]; count: number }>;

function tellIgnored(where: string, ignored: Ignored, warn: Warn): void {
  for (const [key, { loc, count }] of ignored)
    warn('ignored_key', loc, () => ({
      msg: `'${shortText(key)}' is no field of ${where} and is ignored: ${count === 1 ? 'once' : `${count} times`}`,
      ctx: { count },
    }));
}

function warnOfKeys(
  value: unknown,
  loc: readonly (string | number)[],
  findMeant: FindMeant,
  known: readonly string[],
  warn: Warn,
  ignored: Ignored,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = findMeant(key);
    if (meant === undefined || Object.hasOwn(value, meant)) {
      noteIgnored(key, loc, ignored);
      continue;
    }
    warn('unknown_key', [...loc, shortText(key)], () => ({
      msg: `There is no field '${shortText(key)}', so it is ignored; did you mean '${meant}'?`,
      ctx: { did_you_mean: meant },
    }));
  }
}

function noteIgnored(key: string, loc: readonly (string | number)[], ignored: Ignored): void {
  if (OF_ANSWERS.has(key)) return;
  const known = ignored.get(key);
  if (known !== undefined) known.count += 1;
  else if (ignored.size < MOST_LOOKED_AT) ignored.set(key, { loc: [...loc, shortText(key)], count: 1 });
}

/** Each different key is looked at once. */
function createMeant(known: readonly string[], effort: Effort): FindMeant {
  const meant = new Map<string, string | undefined>();
  return (key) => {
    if (OF_ANSWERS.has(key)) return undefined;
    if (!meant.has(key) && meant.size < MOST_LOOKED_AT)
      meant.set(key, nearestTo(key, known, effort) ?? ofSameWords(key, known));
    return meant.get(key);
  };
}

/** Two fields are close, too, when one has all the words of the other, and those are two at least. */
function ofSameWords(key: string, known: readonly string[]): string | undefined {
  const words = wordsOf(key);
  return known.find((field) => {
    const others = wordsOf(field);
    const [fewer, more] = words.size < others.size ? [words, others] : [others, words];
    return fewer.size > 1 && [...fewer].every((word) => more.has(word));
  });
}

/** `modifierGroupIds` has the words of `modifier_group_ids`. */
function wordsOf(key: string): Set<string> {
  const words = key.slice(0, 100).replace(/([a-z])([A-Z])/g, '$1_$2');
  return new Set(words.toLowerCase().split(/[^a-z]+/));
}

type Named = {
  readonly external_id: string;
  readonly name?: MultilingualText;
  readonly description?: MultilingualText;
};

const MOST_LANGUAGES = 200;
const NAMED_ENTITIES = 10;

/** Languages that some entities speak and others do not, for each list which of them and how many. */
export function warnOfMissingLanguages(configuration: MenuConfiguration, warn: Warn): void {
  const languages = languagesOf(configuration);
  for (const kind of KINDS) {
    const list = LIST_OF[kind];
    const missing = new Map<string, { count: number; readonly external_ids: string[] }>();
    for (const { external_id, ...texts } of (configuration[list] ?? []) as readonly Named[]) {
      for (const language of missingIn(texts, languages)) {
        const known = missing.get(language) ?? { count: 0, external_ids: [] };
        missing.set(language, known);
        known.count += 1;
        if (known.external_ids.length < NAMED_ENTITIES) known.external_ids.push(external_id);
      }
    }
    for (const [language, { count, external_ids }] of missing)
      warn('language_missing', [list], () => ({
        msg: `${count} ${count === 1 ? `${NOUN_OF[kind]} has` : `${list.replace('_', ' ')} have`} no text in '${language}', others do`,
        ctx: { language, count, external_ids },
      }));
  }
}

function languagesOf(configuration: MenuConfiguration): readonly string[] {
  const languages = new Set<string>();
  for (const kind of KINDS) {
    for (const { name } of (configuration[LIST_OF[kind]] ?? []) as readonly Named[]) {
      for (const language of spoken(name)) if (languages.size < MOST_LANGUAGES) languages.add(language);
    }
  }
  return [...languages];
}

function missingIn(
  { name, description }: Omit<Named, 'external_id'>,
  languages: readonly string[],
): string[] {
  return languages.filter((language) =>
    [name, description].some((text) => text !== undefined && !speaks(text, language)),
  );
}

function spoken(text: MultilingualText | undefined): string[] {
  return text === undefined
    ? []
    : Object.keys(text.translations).filter((language) => speaks(text, language));
}

function speaks({ translations }: MultilingualText, language: string): boolean {
  return Object.hasOwn(translations, language) && translations[language]?.trim() !== '';
}

/** Names looked at in all: an item may be listed in very many categories. */
const MOST_NAMES = 1_000_000;

/** Different items of one category that a guest cannot tell apart. */
export function warnOfDuplicateNames(configuration: MenuConfiguration, warn: Warn): void {
  const names = new Map(configuration.items.map((item) => [item.external_id, foldedNames(item)]));
  let left = MOST_NAMES;
  configuration.categories?.forEach(({ external_id: category, item_external_ids = [] }, index) => {
    const seen = new Map<string, string>();
    for (const [position, item] of item_external_ids.entries()) {
      const own = names.get(item) ?? [];
      left -= own.length;
      if (left < 0) return;
      const taken = own.find((name) => (seen.get(name) ?? item) !== item);
      for (const name of own) if (!seen.has(name)) seen.set(name, item);
      if (taken === undefined) continue;
      const other = seen.get(taken);
      warn('duplicate_name', ['categories', index, 'item_external_ids', position], () => ({
        msg: `The items '${other}' and '${item}' of the category '${category}' have the same name`,
        ctx: {
          external_id: item,
          other_external_id: other,
          name: shortText(taken.slice(taken.indexOf(NUL) + 1)),
        },
      }));
    }
  });
}

/** No language and no name contains it. */
const NUL = '\u0000';

/** The name in each language, in one form for all ways to write it. */
function foldedNames({ name }: Named): string[] {
  return spoken(name).map(
    (language) => `${language}${NUL}${name?.translations[language]?.trim().toLowerCase()}`,
  );
}
