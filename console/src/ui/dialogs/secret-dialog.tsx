import type { ComponentChildren } from 'preact';
import { t } from '../../text/t.js';
import { CopyButton } from '../copy-button.js';
import { Dialog } from './dialog.js';
import { Icon } from '../icon.js';

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
        <button type="button" class="button primary" onClick={onClose}>
          {t('i_have_kept_it')}
        </button>
      }
    >
      <p class="notice">
        <Icon name="warning" />
        <span>
          {t('this_is_shown_once')} {children}
        </span>
      </p>
      <div class="secret">
        <code id="secret">{secret}</code>
        <CopyButton text={secret} label={t('copy_it')} sourceId="secret" />
      </div>
    </Dialog>
  );
}
