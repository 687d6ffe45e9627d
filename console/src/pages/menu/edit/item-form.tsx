import { useSignal } from '@preact/signals';
import { t } from '../../../text/t.js';
import { LinesField, NumberField, Tick, formNumber, formText, typedLines } from '../../../ui/field.js';
import { useLoad } from '../../../ui/loading.js';
import { PhotoField } from '../photos/photo-field.js';
import { readPhotos } from '../photos/save-photo.js';
import type { Entity } from './draft.js';
import { DIETARY_WORDS } from '../menu/dietary-labels.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { Ordered, PriceFields } from './form-parts.js';
import { AllergenFields, readTicked } from './allergen-fields.js';
import { idsIn, languagesOf, nameOf, namesOf } from './names.js';
import { priceIn, priceOf, toPriceTexts, usualRate } from './price.js';

/** One item of the menu. */
export function ItemForm(props: FormProps) {
  const { present, draft, currency } = props;
  const groups = useSignal(idsIn(present, 'modifier_external_ids'));
  const read = (data: FormData, before: Entity | undefined) => {
    const price = priceIn(data, before && priceOf('item', before), currency);
    const labels = Object.keys(DIETARY_WORDS).filter((label) => data.has(label));
    const had = before?.['dietary_labels'] !== undefined;
    return {
      ...price,
      sell_separately: data.has('sell_separately'),
      ingredients: typedLines(formText(data, 'ingredients'), textOf(before, 'ingredients')),
      allergens: readTicked(data, textOf(before, 'allergens'), languagesOf(draft.menu)[0] ?? 'en'),
      dietary_labels: labels.length > 0 || had ? labels : undefined,
      prep_time: formNumber(data, 'prep_time'),
      alcohol_by_volume: formNumber(data, 'alcohol_by_volume'),
      modifier_external_ids:
        groups.value.length > 0 || before?.['modifier_external_ids'] !== undefined ? groups.value : undefined,
    };
  };
  const price = present && priceOf('item', present);
  const texts =
    price === undefined
      ? { gross: '', rate: usualRate(draft.menu.item.values()) }
      : toPriceTexts(price, currency);
  const labels = (present?.['dietary_labels'] as readonly string[] | undefined) ?? [];
  return (
    <EntityForm {...props} read={read}>
      <PriceFields
        label={currency === undefined ? t('price_with_tax') : t('price_with_tax_currency', { currency })}
        {...texts}
      />
      <ItemPhoto {...props} />
      <fieldset class="field">
        <legend>{t('labels_dietary')}</legend>
        <div class="checks">
          {Object.entries(DIETARY_WORDS).map(([label, words]) => (
            <Tick key={label} name={label} label={words} defaultChecked={labels.includes(label)} />
          ))}
        </div>
      </fieldset>
      <AllergenFields text={textOf(present, 'allergens') ?? ''} />
      <div class="pair">
        <LinesField label={t('ingredients')} name="ingredients" text={textOf(present, 'ingredients') ?? ''} />
        <NumberField name="prep_time" label={t('minutes_to_prepare')} value={present?.['prep_time']} />
        <NumberField
          name="alcohol_by_volume"
          label={t('alcohol_percent_vol')}
          most={100}
          step="any"
          value={present?.['alcohol_by_volume']}
        />
      </div>
      <Tick
        name="sell_separately"
        label={t('sold_by_itself_not_only_as')}
        defaultChecked={present?.['sell_separately'] !== false}
      />
      <Ordered
        label={t('choices')}
        add={t('add_a_group_of_choices')}
        ids={groups.value}
        all={namesOf(draft.menu, 'modifier_group')}
        onChange={(ids) => (groups.value = ids)}
      />
    </EntityForm>
  );
}

/** Of an item that is published: a photo is not part of the draft, and is there at once. */
function ItemPhoto({ opened: { id }, storeId, draft, present }: FormProps) {
  const { value, reload } = useLoad((signal) => readPhotos(storeId, signal), [storeId]);
  if (id === undefined || value.value === undefined || !draft.published.menu.item.has(id)) return null;
  return (
    <fieldset class="field">
      <legend>{t('photo')}</legend>
      <PhotoField
        storeId={storeId}
        externalId={id}
        name={nameOf(present, id)}
        photos={value.value}
        onDone={reload}
      />
    </fieldset>
  );
}

function textOf(entity: Entity | undefined, field: string): string | undefined {
  return entity?.[field] as string | undefined;
}
