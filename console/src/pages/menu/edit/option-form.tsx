import { t } from '../../../text/t.js';
import { Field } from '../../../ui/field.js';
import { formText } from '../../../text/form-text.js';
import type { Entity } from './draft.js';
import { EntityForm, readNumber, type FormProps } from './entity-form.js';
import { NumberField, PriceFields } from './form-parts.js';
import { namesOf } from './names.js';
import { priceIn, toPriceTexts, usualRate, type Price } from './price.js';

/** One choice: what it adds to the price, how many may be taken, and the item that it stands for. */
export function OptionForm(props: FormProps) {
  const { present, draft, currency } = props;
  const read = (data: FormData, before: Entity | undefined) => {
    const change = priceIn(data, changeOf(before), currency);
    return {
      price_change: change.price,
      tax_change: change.tax,
      min_quantity: readNumber(data, 'min_quantity') ?? 0,
      max_quantity: readNumber(data, 'max_quantity') ?? 1,
      default_quantity: readNumber(data, 'default_quantity') ?? 0,
      menu_item_external_id: formText(data, 'menu_item_external_id') || undefined,
    };
  };
  const change = changeOf(present);
  const stands = (present?.['menu_item_external_id'] as string | undefined) ?? '';
  return (
    <EntityForm {...props} read={read}>
      {() => (
        <>
          <PriceFields
            label={t('adds_to_the_price_with_tax')}
            {...(change === undefined || change.price === 0
              ? {
                  gross: toPriceTexts({ price: 0, tax: 0 }, currency).gross,
                  rate: usualRate(draft.menu.item.values()),
                }
              : toPriceTexts(change, currency))}
          />
          <div class="pair">
            <NumberField
              name="min_quantity"
              label={t('least_quantity')}
              value={present?.['min_quantity'] ?? 0}
            />
            <NumberField
              name="max_quantity"
              label={t('largest_quantity')}
              value={present?.['max_quantity'] ?? 1}
            />
            <NumberField
              name="default_quantity"
              label={t('usual_quantity')}
              value={present?.['default_quantity'] ?? 0}
            />
            <Field label={t('stands_for_the_item')} hint={t('in_a_combo_sold_out_together')}>
              {(ids) => (
                <select {...ids} class="input" name="menu_item_external_id" defaultValue={stands}>
                  <option value="">{t('none')}</option>
                  {[...namesOf(draft.menu, 'item')].map(([id, name]) => (
                    <option key={id} value={id} selected={id === stands}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
        </>
      )}
    </EntityForm>
  );
}

function changeOf(entity: Entity | undefined): Price | undefined {
  if (entity === undefined) return undefined;
  return { price: entity['price_change'] as number, tax: entity['tax_change'] as number };
}
