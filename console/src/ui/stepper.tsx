import { t } from '../text/t.js';
import { Icon } from './icon.js';

interface StepperProps {
  readonly name: string;
  readonly value: number;
  readonly least?: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** How many, by one tap for one. */
export function Stepper({ name, value, least = 0, most, onChange }: StepperProps) {
  return (
    <span class="stepper" role="group" aria-label={name}>
      <button
        type="button"
        class="button square"
        aria-label={t('fewer_name', { name })}
        disabled={value <= least}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <output>{value}</output>
      <button
        type="button"
        class="button square"
        aria-label={t('more_name', { name })}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </span>
  );
}
