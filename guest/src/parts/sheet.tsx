import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../language.js';
import { Icon } from './icon.js';
import { useWindow } from './use-window.js';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A window over the menu. */
export function Sheet({ title, onClose, footer, children }: SheetProps) {
  const titleId = useId();
  return (
    <dialog {...useWindow(onClose, 'h2')} class="sheet" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="round" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="body">{children}</div>
      {footer !== undefined && <footer>{footer}</footer>}
    </dialog>
  );
}
