import type { Phrase, Phrases } from './phrases/en.js';

/** English is in the code itself. */
let phrases: Phrases | undefined;
let current = 'en';
let tag: string | undefined;

/** Call it before the first `t`. `region` is a tag such as `en-GB`, for dates and numbers. */
export function setLanguage(language: string, translated: Phrases | undefined, region: string): void {
  phrases = translated;
  current = language;
  tag = region;
}

export function language(): string {
  return current;
}

/** The locale of dates, numbers and amounts. */
export function locale(): string | undefined {
  return tag;
}

/**
 * A phrase in the language of the console. `{name}` stands for a value; `one | many` are two forms, chosen by `count`;
 * what follows a `#` tells apart two meanings of one English word, and is not shown.
 */
export function t(phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string {
  return toForm(phrase, values['count']).replaceAll(BLANK, (_, name: string) => fill(values[name]));
}

export const BLANK = /\{(\w+)\}/g;

export function toForm(phrase: Phrase, count: unknown): string {
  const [text = ''] = (phrases?.[phrase] ?? phrase).split('#', 1);
  if (typeof count !== 'number') return text;
  const [one = '', many = one] = text.split(' | ');
  return new Intl.PluralRules(current).select(count) === 'one' ? one : many;
}

export function fill(value: string | number | undefined): string {
  return typeof value === 'number' ? new Intl.NumberFormat(tag).format(value) : (value ?? '');
}
