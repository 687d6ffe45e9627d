import type { ComponentChildren } from 'preact';
import { t } from '../../text/t.js';
import { Copyable } from '../copy-button.js';
import { Dialog } from './dialog.js';
import { Notice } from '../notice.js';
import { Button } from '../button.js';

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
