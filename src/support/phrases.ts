/** A text, or one for each plural category of the language; `other` stands in for those it lacks. `{name}` stands for a value. */
export type Phrase = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

export type Catalogue<Key extends string> = Readonly<Record<Key, Phrase>>;

/** What is spoken at the moment. `locale` is the tag of numbers, such as `en-GB`. */
export interface Spoken<Key extends string> {
  readonly catalogue: Catalogue<Key>;
  readonly language: string;
  readonly locale?: string | undefined;
}

export type Values = Readonly<Record<string, string | number>>;

/** Gives a phrase of the catalogue in use, its blanks filled in; `count` chooses the plural form. */
export function createT<Key extends string>(
  spoken: () => Spoken<Key>,
): (key: Key, values?: Values) => string {
  return (key, values = {}) =>
    splitPhrase(key, values['count'], spoken())
      .map((part, i) => (i % 2 === 0 ? part : fillIn(values[part], spoken().locale)))
      .join('');
}

/** What stands between the blanks, and their names, in turn. */
export function splitPhrase<Key extends string>(key: Key, count: unknown, spoken: Spoken<Key>): string[] {
  return formOf(spoken.catalogue[key], count, spoken.language).split(/\{(\w+)\}/);
}

function formOf(phrase: Phrase, count: unknown, language: string): string {
  if (typeof phrase === 'string') return phrase;
  const category = typeof count === 'number' ? new Intl.PluralRules(language).select(count) : 'other';
  return phrase[category] ?? phrase.other ?? '';
}

export function fillIn(value: string | number | undefined, locale: string | undefined): string {
  return typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : (value ?? '');
}
