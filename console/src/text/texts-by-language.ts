type Texts = Readonly<Record<string, string>>;

const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Texts as they are written in a form: each begins with its language, such as `en: Welcome`. */
export function writeTexts(texts: Texts): string {
  return Object.entries(texts)
    .map(([language, text]) => `${language}: ${text.replaceAll('\r', '')}`)
    .join('\n');
}

/**
 * The texts in a field, or undefined if it says what was there before. A line that begins with no language continues the
 * text above it; the first line is then English.
 */
export function readTexts(written: string, before: Texts): Record<string, string> | undefined {
  const lines = written.replaceAll('\r', '').trim();
  if (lines === writeTexts(before).trim()) return undefined;
  const texts = new Map<string, string[]>();
  let language = 'en';
  for (const line of lines.split('\n')) {
    const [, tag = '', words = ''] = /^\s*([\w-]{2,35})\s*:(.*)$/.exec(line) ?? [];
    const isStart = Object.hasOwn(before, tag) || isLanguage(tag);
    if (isStart) language = tag;
    texts.set(language, isStart ? [words] : [...(texts.get(language) ?? []), line]);
  }
  return Object.fromEntries(
    [...texts].map(([tag, text]) => [tag, text.join('\n').trim()] as const).filter(([, text]) => text !== ''),
  );
}

/** Only lower case: `Sat:` and `Fr:` are days. Only canonical codes: `tel` is Telugu, but more often a phone number. */
function isLanguage(tag: string): boolean {
  const [language = ''] = tag.split(/[-_]/);
  if (!/^[a-z]{2,3}$/.test(language)) return false;
  return new Intl.Locale(language).language === language && NAMES.of(language) !== undefined;
}
