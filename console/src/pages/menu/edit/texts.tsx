import { useId } from 'preact/hooks';
import { typedLine, typedLines } from '../../../ui/field.js';
import { directionOf, languageName } from '../../../text/languages.js';
import type { Entity } from './draft.js';

interface TextsProps {
  readonly label: string;
  readonly field: 'name' | 'description';
  readonly entity: Entity | undefined;
  readonly languages: readonly string[];
}

/** A text in each language of the menu. */
export function Texts({ label, field, entity, languages }: TextsProps) {
  const id = useId();
  const texts = translationsOf(entity, field);
  const Control = field === 'name' ? 'input' : 'textarea';
  return (
    <fieldset class="field texts">
      <legend>{label}</legend>
      {languages.map((language) => (
        <div key={language} class="text-line">
          <label for={`${id}-${language}`} class="small soft">
            {languageName(language)}
          </label>
          <Control
            id={`${id}-${language}`}
            class="input"
            name={`${field}:${language}`}
            dir={directionOf(language)}
            lang={language}
            defaultValue={texts[language] ?? ''}
            maxLength={10_000}
          />
        </div>
      ))}
    </fieldset>
  );
}

/** The text that a form states; languages that the form does not show stay as they are. */
export function readTexts(
  data: FormData,
  field: 'name' | 'description',
  entity: Entity | undefined,
): { translations: Record<string, string> } | undefined {
  const texts = new Map(Object.entries(translationsOf(entity, field)));
  for (const [name, value] of data) {
    if (!name.startsWith(`${field}:`) || typeof value !== 'string') continue;
    const language = name.slice(field.length + 1);
    const text = (field === 'name' ? typedLine : typedLines)(value, texts.get(language));
    if (text === undefined) texts.delete(language);
    else texts.set(language, text);
  }
  return texts.size === 0 && field === 'description'
    ? undefined
    : { translations: Object.fromEntries(texts) };
}

function translationsOf(entity: Entity | undefined, field: string): Readonly<Record<string, string>> {
  const text = entity?.[field] as { readonly translations?: Readonly<Record<string, string>> } | undefined;
  return text?.translations ?? {};
}
