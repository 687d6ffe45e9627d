import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly fault?: string | undefined;
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** A labelled control, with a hint and what is wrong with it. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const described = hint !== undefined || fault !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(described ? { 'aria-describedby': `${id}-more` } : {}) })}
      {described && (
        <div id={`${id}-more`}>
          {fault !== undefined && <div class="fault">{fault}</div>}
          {hint !== undefined && <div class="hint">{hint}</div>}
        </div>
      )}
    </div>
  );
}
