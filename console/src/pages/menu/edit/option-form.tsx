import { t } from '../../../text/t.js';
import { NumberField, SelectField } from '../../../ui/field.js';
import { formNumber, formText } from '../../../text/form-text.js';
import type { Entity } from './draft.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { PriceFields } from './form-parts.js';
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
      min_quantity: formNumber(data, 'min_quantity') ?? 0,
      max_quantity: formNumber(data, 'max_quantity') ?? 1,
      default_quantity: formNumber(data, 'default_quantity') ?? 0,
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
            <SelectField
              label={t('stands_for_item')}
              hint={t('in_a_combo_sold_out_together')}
              name="menu_item_external_id"
              options={[['', t('none')], ...namesOf(draft.menu, 'item')]}
              chosen={stands}
            />
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
