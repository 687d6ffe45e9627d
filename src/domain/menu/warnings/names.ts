import { cutText } from '../../faults.js';
import { KINDS, LIST_OF, NOUN_OF } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';
import type { WarningList } from './warning-list.js';

type Text = { readonly translations: Readonly<Record<string, string>> };
type Named = { readonly external_id: string; readonly name?: Text; readonly description?: Text };

const MOST_LANGUAGES = 200;
const NAMED_ENTITIES = 10;
const SHOWN_CHARACTERS = 200;

/** Languages that some entities speak and others do not, for each list which of them and how many. */
export function warnOfMissingLanguages(configuration: MenuConfiguration, warnings: WarningList): void {
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
      warnings.add('language_missing', [list], () => ({
        msg: `${count} ${count === 1 ? `${NOUN_OF[kind]} has` : `${list.replace('_', ' ')} have`} no text in '${language}', others do`,
        ctx: { language, count, external_ids },
      }));
  }
}

function languagesOf(configuration: MenuConfiguration): ReadonlySet<string> {
  const languages = new Set<string>();
  for (const kind of KINDS) {
    for (const { name } of (configuration[LIST_OF[kind]] ?? []) as readonly Named[]) {
      for (const language of spoken(name)) if (languages.size < MOST_LANGUAGES) languages.add(language);
    }
  }
  return languages;
}

function missingIn(
  { name, description }: Omit<Named, 'external_id'>,
  languages: ReadonlySet<string>,
): string[] {
  const texts = [name, description].filter((text) => text !== undefined);
  return [...languages].filter((language) => texts.some((text) => !speaks(text, language)));
}

function spoken(text: Text | undefined): string[] {
  return text === undefined
    ? []
    : Object.keys(text.translations).filter((language) => speaks(text, language));
}

function speaks({ translations }: Text, language: string): boolean {
  return Object.hasOwn(translations, language) && translations[language]?.trim() !== '';
}

/** Names looked at in all: an item may be listed in very many categories. */
const MOST_NAMES = 1_000_000;

/** Different items of one category that a guest cannot tell apart. */
export function warnOfDuplicateNames(configuration: MenuConfiguration, warnings: WarningList): void {
  const names = new Map(configuration.items.map((item) => [item.external_id, foldedNames(item)]));
  let left = MOST_NAMES;
  configuration.categories?.forEach(({ external_id: category, item_external_ids = [] }, at) => {
    const seen = new Map<string, string>();
    for (const [position, item] of item_external_ids.entries()) {
      const own = names.get(item) ?? [];
      left -= own.length;
      if (left < 0) return;
      const taken = own.find((name) => (seen.get(name) ?? item) !== item);
      for (const name of own) if (!seen.has(name)) seen.set(name, item);
      if (taken === undefined) continue;
      const other = seen.get(taken);
      warnings.add('duplicate_name', ['categories', at, 'item_external_ids', position], () => ({
        msg: `The items '${other}' and '${item}' of the category '${category}' have the same name`,
        ctx: {
          external_id: item,
          other_external_id: other,
          name: cutText(taken.slice(taken.indexOf(NUL) + 1), SHOWN_CHARACTERS),
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
