import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useWindow } from '../../../../guest/src/parts/use-window.js';
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
