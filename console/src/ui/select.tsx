import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface SelectProps {
  readonly id: string;
  readonly name: string;
  readonly present: string;
  /** The options. */
  readonly children: ComponentChildren;
}

/** A list to choose from in a form. It shows the present value until a person chooses another. */
export function Select({ present, children, ...rest }: SelectProps) {
  const chosen = useSignal<string | undefined>(undefined);
  return (
    <select
      {...rest}
      class="input"
      data-present={present}
      value={chosen.value ?? present}
      onChange={(event) => (chosen.value = event.currentTarget.value)}
    >
      {children}
    </select>
  );
}
