import {
  ALLERGENS,
  changeAllergens,
  nameOfAllergen,
  readAllergens,
  type Allergen,
} from '../../../../../src/menus/allergens.js';
import { InputField, Tick, formText } from '../../../ui/field.js';
import { language, t } from '../../../text/t.js';

/** The usual allergens as ticks, others as text. */
export function AllergenFields({ text }: { readonly text: string }) {
  const ticked = tickedIn(text);
  return (
    <fieldset class="field">
      <legend>{t('allergens')}</legend>
      <div class="allergens">
        {ALLERGENS.map((allergen) => (
          <Tick
            key={allergen}
            name={`allergen-${allergen}`}
            label={nameOfAllergen(allergen, language())}
            defaultChecked={ticked.has(allergen)}
          />
        ))}
      </div>
      <InputField label={t('other_allergens')} name="other_allergens" defaultValue={othersIn(text)} />
    </fieldset>
  );
}

/** What was ticked and typed; the text as it was where neither was changed. */
export function readTicked(data: FormData, before: string | undefined, tag: string): string | undefined {
  const ticked = new Set(ALLERGENS.filter((allergen) => data.has(`allergen-${allergen}`)));
  const others = formText(data, 'other_allergens');
  const had = tickedIn(before ?? '');
  const isSame = ticked.size === had.size && [...ticked].every((one) => had.has(one));
  if (isSame && others === othersIn(before ?? '')) return before;
  return changeAllergens(before ?? '', ticked, others, tag) || undefined;
}

function tickedIn(text: string): ReadonlySet<Allergen> {
  return new Set(readAllergens(text).flatMap(({ allergen }) => allergen ?? []));
}

function othersIn(text: string): string {
  return readAllergens(text)
    .filter(({ allergen }) => allergen === undefined)
    .map((part) => part.text)
    .join(', ');
}
