import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../text/t.js';
import { Dialog } from './dialog.js';
import { Trouble } from '../error-notice.js';
import { useTask } from '../use-task.js';

interface FormDialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  /** What the button says that sends the form. */
  readonly submit: string;
  readonly onSubmit: (data: FormData) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a window of its own: sent once at a time, and a refusal is shown above its fields. */
export function FormDialog({ title, isWide = false, submit, onSubmit, onClose, children }: FormDialogProps) {
  const { isBusy, error, run } = useTask();
  const id = useId();
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      actions={
        <button type="submit" form={id} class="button primary" disabled={isBusy.value}>
          {isBusy.value ? t('one_moment') : submit}
        </button>
      }
    >
      <form
        id={id}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          run(() => onSubmit(data));
        }}
      >
        {error.value !== undefined && <Trouble error={error.value} />}
        {children}
      </form>
    </Dialog>
  );
}
