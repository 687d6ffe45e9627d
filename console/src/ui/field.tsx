import { useSignal } from '@preact/signals';
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

type Labelled = Pick<FieldProps, 'label' | 'hint' | 'error'>;

interface InputFieldProps extends Labelled {
  readonly name?: string;
  readonly type?: 'date' | 'datetime-local' | 'number' | 'search' | 'tel' | 'text' | 'url';
  readonly inputMode?: 'numeric' | 'decimal';
  /** The id of a list of what is likely. */
  readonly list?: string;
  readonly min?: number;
  readonly max?: number | undefined;
  readonly step?: number | 'any';
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
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

interface NumberFieldProps extends Labelled {
  readonly name: string;
  readonly least?: number;
  readonly most?: number;
  readonly step?: 1 | 'any';
  readonly required?: boolean;
  /** Anything but a number leaves the field empty. */
  readonly value?: unknown;
}

/** A number or nothing; a whole one where no step is given. */
export function NumberField({ least = 0, most, step = 1, value, ...field }: NumberFieldProps) {
  return (
    <InputField
      {...field}
      type="number"
      inputMode={step === 1 ? 'numeric' : 'decimal'}
      min={least}
      max={most}
      step={step}
      defaultValue={typeof value === 'number' ? String(value) : ''}
    />
  );
}

interface LinesFieldProps extends Labelled {
  readonly name: string;
  readonly required?: boolean;
  readonly rows?: number;
  readonly text: string;
}

/** A field of several lines, as high as the text in it. */
export function LinesField({ name, required, rows = 2, text, ...field }: LinesFieldProps) {
  const height = Math.max(rows, text.split('\n').length);
  return (
    <Field {...field}>
      {(ids) => (
        <textarea {...ids} class="input" name={name} required={required} rows={height} defaultValue={text} />
      )}
    </Field>
  );
}

interface SelectFieldProps extends Labelled {
  readonly name?: string;
  readonly required?: boolean;
  /** What can be chosen, each with its words. */
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly chosen?: string | undefined;
  /** Without it, the form is asked for what was chosen. */
  readonly onChoose?: (value: string) => void;
  /** In a form of settings, what is saved: it is shown until a person chooses another. */
  readonly present?: string;
}

/** A list to choose from. */
export function SelectField(props: SelectFieldProps) {
  const { options, present, chosen, onChoose, name, required, ...field } = props;
  const touched = useSignal<string | undefined>(undefined);
  const isHeld = onChoose !== undefined || present !== undefined;
  const choose = onChoose ?? ((value: string) => (touched.value = value));
  const held = isHeld && {
    value: chosen ?? touched.value ?? present ?? '',
    onChange: ({ currentTarget: list }: { readonly currentTarget: HTMLSelectElement }) => choose(list.value),
  };
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} class="input" name={name} required={required} data-present={present} {...held}>
          {options.map(([value, words]) => (
            <option key={value} value={value} selected={isHeld ? undefined : value === chosen}>
              {words}
            </option>
          ))}
        </select>
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

interface TicksProps {
  readonly legend: string;
  readonly hint?: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: ComponentChildren])[];
  readonly chosen?: readonly string[] | undefined;
}

/** Any number of several: those that are ticked are the values of `name` in the form. */
export function Ticks({ legend, hint, name, options, chosen = [] }: TicksProps) {
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      {hint !== undefined && <div class="hint">{hint}</div>}
      {options.map(([value, label]) => (
        <Tick key={value} name={name} value={value} defaultChecked={chosen.includes(value)} label={label} />
      ))}
    </fieldset>
  );
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

/** What was typed into a field of a form, without the space around it. */
export function formText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The number in a field, or undefined where nothing is typed. */
export function formNumber(data: FormData, name: string): number | undefined {
  const text = formText(data, name);
  return text === '' ? undefined : Number(text);
}

/** The text as it was, where a textarea shows nothing else; otherwise what was typed, undefined for nothing. */
export function typedLines(typed: string, before: string | undefined): string | undefined {
  return toLines(typed) === toLines(before ?? '') ? before : toLines(typed) || undefined;
}

function toLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

/** Likewise of an input, which shows no line breaks. */
export function typedLine(typed: string, before: string | undefined): string | undefined {
  return typed.trim() === (before ?? '').replace(/[\r\n]/g, '').trim() ? before : typed.trim() || undefined;
}
