import type { ComponentChildren } from 'preact';
import { useId, useEffect, useRef } from 'preact/hooks';
import { useWindow } from '../../../guest/src/parts/use-window.js';
import { t } from '../text/t.js';
import { Button } from './button.js';
import { Trouble, useTask } from './loading.js';
import { FieldError } from './field.js';
import { Copyable } from './copy-button.js';
import { Notice } from './notice.js';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** Whether closing it now would lose something: a person is asked first. */
  readonly isUnsaved?: () => boolean;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A window over the page. */
export function Dialog({ title, onClose, isWide = false, isUnsaved, actions, children }: DialogProps) {
  const titleId = useId();
  const leave = () => {
    if (isUnsaved?.() !== true || confirm(t('leave_without_saving'))) onClose();
  };
  return (
    <dialog {...useWindow(leave)} class={isWide ? 'dialog wide' : 'dialog'} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <Button look="quiet square" icon="close" aria-label={t('close_button')} onClick={leave} />
      </header>
      <div class="body">{children}</div>
      {actions !== undefined && <footer>{actions}</footer>}
    </dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly confirm: string;
  /** Where something is to be ticked first. */
  readonly isReady?: boolean;
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something is done that has no way back. */
export function ConfirmDialog({
  title,
  confirm,
  isReady = true,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const { isBusy, error, run } = useTask();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('keep_it')}</Button>
          <Button
            look="danger primary"
            disabled={isBusy.value || !isReady}
            onClick={() => run(async () => onConfirm())}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <Trouble error={error.value} />
      {children}
    </Dialog>
  );
}

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

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The only time that a secret can be seen. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('i_have_kept_it')}
        </Button>
      }
    >
      <Notice>
        {t('this_is_shown_once')} {children}
      </Notice>
      <Copyable text={secret} label={t('copy_it')} sourceId="secret" />
    </Dialog>
  );
}
