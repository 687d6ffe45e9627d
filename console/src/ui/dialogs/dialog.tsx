import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../text/t.js';
import { Button } from '../button.js';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** Whether closing it now would lose something: a person is asked first. */
  readonly isUnsaved?: () => boolean;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A window over the page; the browser keeps the focus in it, and whoever opened it has it back. */
export function Dialog({ title, onClose, isWide = false, isUnsaved, actions, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const leave = () => {
    if (isUnsaved?.() !== true || confirm(t('leave_without_saving'))) onClose();
  };
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClick={(event) => {
        if (event.target === element.current) leave();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <Button look="quiet square" icon="close" aria-label={t('close_button')} onClick={leave} />
      </header>
      <div class="body">{children}</div>
      {actions !== undefined && <footer>{actions}</footer>}
    </dialog>
  );
}
