import type { ComponentChildren } from 'preact';
import { t } from '../../text/t.js';
import { Dialog } from './dialog.js';
import { Trouble, useTask } from '../loading.js';
import { Button } from '../button.js';

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
