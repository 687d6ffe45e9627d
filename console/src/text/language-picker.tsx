import { LANGUAGES, pickLanguage } from './start-language.js';
import { language, t } from './t.js';

/** Lists each language by its own name. */
export function LanguagePicker() {
  return (
    <select
      class="input language-picker"
      aria-label={t('language_of_the_console')}
      value={language()}
      onChange={({ currentTarget: list }) => {
        pickLanguage(list.value);
        // They may stay to save their changes: the list goes on showing this language.
        list.value = language();
      }}
    >
      {LANGUAGES.map((one) => (
        <option key={one} value={one} lang={one}>
          {ownName(one)}
        </option>
      ))}
    </select>
  );
}

function ownName(one: string): string {
  const name = new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one;
  return name.charAt(0).toLocaleUpperCase(one) + name.slice(1);
}
