import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';

interface PriceFieldsProps {
  readonly label: string;
  readonly gross: string;
  readonly rate: string;
}

/** A price as guests see it, and the rate of the tax in it. */
export function PriceFields({ label, gross, rate }: PriceFieldsProps) {
  return (
    <div class="pair">
      <Field label={label}>
        {(ids) => (
          <input
            {...ids}
            class="input number"
            inputMode="decimal"
            name="gross"
            defaultValue={gross}
            required
          />
        )}
      </Field>
      <Field label={t('tax_in_it_percent')}>
        {(ids) => <input {...ids} class="input number" inputMode="decimal" name="rate" defaultValue={rate} />}
      </Field>
    </div>
  );
}

/** Opens a form for something new. */
export function AddButton({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <div>
      <Button icon="plus" onClick={onPress}>
        {label}
      </Button>
    </div>
  );
}
