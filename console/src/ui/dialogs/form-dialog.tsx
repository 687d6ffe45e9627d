import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../text/t.js';
import { Button } from '../button.js';
import { Dialog } from './dialog.js';
import { Trouble, useTask } from '../loading.js';
import { FieldError } from '../field.js';

interface FormDialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  /** What the button says that sends the form. */
  readonly submit: string;
  readonly onSubmit: (data: FormData) => Promise<void> | void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a window of its own: sent once at a time, a refusal is shown above its fields, and what was typed is not lost unasked. */
export function FormDialog({ title, isWide = false, submit, onSubmit, onClose, children }: FormDialogProps) {
  const { isBusy, error, run } = useTask();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const isTouched = useRef(false);
  // The form may be long: what is wrong must be seen from the button below it.
  useEffect(() => {
    form.current?.querySelector('.trouble')?.scrollIntoView({ block: 'center' });
    const { value } = error;
    const field = value instanceof FieldError ? form.current?.elements.namedItem(value.field) : null;
    if (!(field instanceof HTMLInputElement)) return;
    field.setAttribute('aria-invalid', 'true');
    field.addEventListener('input', () => field.removeAttribute('aria-invalid'), { once: true });
    field.focus();
  }, [error.value]);
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      isUnsaved={() => isTouched.current}
      actions={
        <Button type="submit" form={id} look="primary" disabled={isBusy.value}>
          {isBusy.value ? t('one_moment') : submit}
        </Button>
      }
    >
      <form
        id={id}
        ref={form}
        class="form"
        onInput={() => (isTouched.current = true)}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          run(async () => onSubmit(data));
        }}
      >
        <Trouble error={error.value} />
        {children}
      </form>
    </Dialog>
  );
}
