import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A sentence about what is wrong with the field of this name. */
export class FieldError extends Error {
  constructor(
    readonly field: string,
    words: string,
  ) {
    super(words);
  }
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** A labelled control, with a hint and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = hint !== undefined || error !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(described ? { 'aria-describedby': `${id}-more` } : {}) })}
      {described && (
        <div id={`${id}-more`}>
          {error !== undefined && <div class="error">{error}</div>}
          {hint !== undefined && <div class="hint">{hint}</div>}
        </div>
      )}
    </div>
  );
}

interface InputFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  readonly name?: string;
  readonly type?: 'date' | 'datetime-local' | 'number' | 'search' | 'tel' | 'text' | 'url';
  /** The id of a list of what is likely. */
  readonly list?: string;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly defaultValue?: string;
  readonly value?: string;
  readonly onInput?: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) => void;
}

/** A field that is one line of text, or a date. */
export function InputField({ label, hint, error, type = 'text', ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          class="input"
          type={type}
          aria-invalid={error === undefined ? undefined : true}
          {...input}
        />
      )}
    </Field>
  );
}

interface TickProps {
  readonly label: ComponentChildren;
  readonly name?: string;
  readonly value?: string;
  readonly defaultChecked?: boolean;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onChange?: (event: Event & { readonly currentTarget: HTMLInputElement }) => void;
}

/** What is so or not, with its words beside it. */
export function Tick({ label, ...input }: TickProps) {
  return (
    <label class="check">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}
