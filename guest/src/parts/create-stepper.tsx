import type { ComponentType } from 'preact';

export interface StepperProps {
  readonly name: string;
  readonly value: number;
  readonly least?: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** How a page dresses it, and what it calls the two buttons. */
interface StepperLook {
  readonly Icon: ComponentType<{ readonly name: 'minus' | 'plus' }>;
  readonly buttonClasses: readonly string[];
  readonly fewer: (name: string) => string;
  readonly more: (name: string) => string;
}

/** How many, by one tap for one. */
export function createStepper({ Icon, buttonClasses, fewer, more }: StepperLook) {
  return ({ name, value, least = 0, most, onChange }: StepperProps) => {
    const button = (icon: 'minus' | 'plus', label: string, isDone: boolean, next: number) => (
      <button
        type="button"
        class={buttonClasses.join(' ')}
        aria-label={label}
        disabled={isDone}
        onClick={() => onChange(next)}
      >
        <Icon name={icon} />
      </button>
    );
    return (
      <span class="stepper" role="group" aria-label={name}>
        {button('minus', fewer(name), value <= least, value - 1)}
        <output>{value}</output>
        {button('plus', more(name), value >= most, value + 1)}
      </span>
    );
  };
}
