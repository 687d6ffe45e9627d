import { computed, effect, signal } from '@preact/signals';
import { createT, type Catalogue, type Spoken } from '../../src/support/phrases.js';
import { formatMoney, type Signs } from '../../src/support/minor-units.js';
import type { Text } from './api.js';
import { keptSignal } from './kept.js';
import en from './phrases/en.json' with { type: 'json' };

type Phrases = Catalogue<keyof typeof en>;

const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: Phrases }>>> = {
  en: () => Promise.resolve({ default: en }),
  es: () => import('./phrases/es.json'),
  fr: () => import('./phrases/fr.json'),
  de: () => import('./phrases/de.json'),
  pt: () => import('./phrases/pt.json'),
  ar: () => import('./phrases/ar.json'),
};

const RIGHT_TO_LEFT = /^(?:ar|he|iw|fa|ur|yi|ps|sd|ug|dv|ckb)\b/i;

/** What the guest has picked; until then the browser decides. */
const picked = keptSignal('comanda-language', '');
const ofMenu = signal<readonly string[]>([]);
const spoken = signal<Spoken<keyof Phrases>>({ catalogue: en, language: 'en' });

/** The languages of the menu, the store's own first, then those that the page speaks beside. */
export const languages = computed(() => {
  const own = ofMenu.value;
  return [...own, ...Object.keys(LOADERS).filter((tag) => !own.some((known) => isSame(known, tag)))];
});

/** A language of the menu that the guest reads comes before one that only the page speaks. */
export const language = computed(() => {
  const offered = languages.value;
  const find = (wanted: string, among: readonly string[]) => among.find((tag) => isSame(tag, wanted));
  const isOffered = offered.includes(picked.value);
  const wanted = isOffered ? [picked.value] : navigator.languages;
  const first = (among: readonly string[]) =>
    wanted.map((tag) => find(tag, among)).find((tag) => tag !== undefined);
  return (
    (isOffered ? picked.value : undefined) ?? first(ofMenu.value) ?? first(offered) ?? offered[0] ?? 'en'
  );
});

const direction = computed(() => (RIGHT_TO_LEFT.test(language.value) ? 'rtl' : 'ltr'));

/** Dates and amounts are written as in the language that the page speaks. */
const locale = computed(() => (language.value in LOADERS || isKnown(language.value) ? language.value : 'en'));

function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

export function offerLanguages(tags: readonly string[]): void {
  if (tags.join() !== ofMenu.value.join()) ofMenu.value = tags;
}

export function pickLanguage(tag: string): void {
  picked.value = tag;
}

/** Loads the phrases of the language, and turns the page to where it is read from. */
export function startLanguage(): void {
  effect(() => {
    const tag = language.value;
    document.documentElement.lang = tag;
    document.documentElement.dir = direction.value;
    const load = LOADERS[baseOf(tag)] ?? LOADERS['en'];
    void load?.().then(
      (loaded) => {
        if (tag === language.value)
          spoken.value = { catalogue: loaded.default, language: baseOf(tag), locale: locale.value };
      },
      () => undefined,
    );
  });
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

function isSame(one: string, other: string): boolean {
  return baseOf(one) === baseOf(other);
}

/** A phrase in the language of the page. */
export const t = createT(() => spoken.value);

/** A text of the menu in the guest's language, else in the store's first, else in any. */
export function textOf(text: Text | undefined): string {
  const translations = text?.translations ?? {};
  for (const tag of [language.value, ...ofMenu.value]) {
    const exact = Object.hasOwn(translations, tag) ? translations[tag] : undefined;
    if (exact !== undefined && exact !== '') return exact;
  }
  return Object.values(translations).find((value) => value !== '') ?? '';
}

/** `Español`, `العربية`; a key that is no language tag stands for itself. */
export function nameOfLanguage(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}

/** Minor units as people write them; without a currency, as they are. */
export function toMoney(minor: number, currency: string | undefined, signs?: Signs): string {
  return formatMoney(minor, currency, locale.value, signs);
}

/** The clock on the store's wall; with the day where it is another one. */
export function toTime(moment: string | number, timezone: string): string {
  const date = new Date(moment);
  const dayOf = (one: Date) => one.toLocaleDateString('en', { timeZone: timezone });
  const isToday = dayOf(date) === dayOf(new Date());
  return date.toLocaleString(locale.value, {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isToday ? {} : { weekday: 'short', day: 'numeric', month: 'short' }),
  });
}
