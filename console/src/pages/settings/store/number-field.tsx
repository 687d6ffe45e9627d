import { Field } from '../../../ui/field.js';

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  readonly least?: number;
  readonly most?: number;
  readonly value: number | undefined;
}

/** A whole number, or nothing. */
export function NumberField({ name, label, least = 1, most = 100_000, value }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          class="input"
          type="number"
          name={name}
          min={least}
          max={most}
          step={1}
          defaultValue={value === undefined ? '' : String(value)}
        />
      )}
    </Field>
  );
}
