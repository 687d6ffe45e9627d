import { t } from '../language.js';
import { Icon } from './icon.js';

interface StepperProps {
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

export function Stepper({ name, value, least, most, onChange }: StepperProps) {
  return (
    <span class="stepper" role="group" aria-label={name}>
      <button
        type="button"
        class="round"
        aria-label={t('fewer', { name })}
        disabled={value <= least}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <output>{value}</output>
      <button
        type="button"
        class="round"
        aria-label={t('more', { name })}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </span>
  );
}
