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

interface OrderedProps {
  readonly label: string;
  /** What the last line of the list offers. */
  readonly add: string;
  readonly ids: readonly string[];
  readonly all: ReadonlyMap<string, string>;
  readonly onChange: (ids: readonly string[]) => void;
}

/** A list whose order counts: move, take out, add. `all` are the names of what may be in it. */
export function Ordered({ label, add, ids, all, onChange }: OrderedProps) {
  const move = (from: number, to: number) => {
    const next = [...ids];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  const left = [...all].filter(([id]) => !ids.includes(id));
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {ids.length > 0 && (
        <ol class="ordered">
          {ids.map((id, i) => {
            const name = all.get(id) ?? id;
            return (
              <li key={`${id} ${i}`}>
                <bdi>{name}</bdi>
                <span class="row">
                  <MoveButtons name={name} index={i} count={ids.length} move={move} />
                  <Button
                    look="square"
                    icon="close"
                    aria-label={t('take_name_out', { name })}
                    onClick={() => onChange(ids.toSpliced(i, 1))}
                  />
                </span>
              </li>
            );
          })}
        </ol>
      )}
      {left.length > 0 && (
        <Field label={add}>
          {(field) => (
            <select
              {...field}
              class="input"
              onChange={(event) => {
                const { value } = event.currentTarget;
                if (value !== '') onChange([...ids, value]);
                event.currentTarget.value = '';
              }}
            >
              <option value="">{t('choose')}</option>
              {left.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </fieldset>
  );
}

interface MoveButtonsProps {
  readonly name: string;
  readonly index: number;
  /** How many the list has. */
  readonly count: number;
  readonly move: (from: number, to: number) => void;
}

/** Moves one of a list up or down. */
export function MoveButtons({ name, index, count, move }: MoveButtonsProps) {
  return (
    <>
      <Button
        look="square up"
        icon="left"
        aria-label={t('move_name_up', { name })}
        disabled={index === 0}
        onClick={() => move(index, index - 1)}
      />
      <Button
        look="square down"
        icon="left"
        aria-label={t('move_name_down', { name })}
        disabled={index === count - 1}
        onClick={() => move(index, index + 1)}
      />
    </>
  );
}
