import { useSignal } from '@preact/signals';
import { t } from '../text/t.js';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Where a page may not write to the clipboard, the element with this id is selected instead. */
  readonly sourceId: string;
}

/** A text to be copied from, with the button that does it. */
export function Copyable({ sourceId, ...button }: CopyButtonProps) {
  return (
    <div class="secret">
      <code id={sourceId}>{button.text}</code>
      <CopyButton {...button} sourceId={sourceId} />
    </div>
  );
}

export function CopyButton({ text, label, sourceId }: CopyButtonProps) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => (isCopied.value = false), 2_000);
    } catch {
      const source = document.getElementById(sourceId);
      if (source !== null) getSelection()?.selectAllChildren(source);
    }
  };
  return (
    <Button
      icon={isCopied.value ? 'check' : 'copy'}
      aria-label={isCopied.value ? t('copied') : label}
      onClick={() => void copy()}
    >
      {isCopied.value ? t('copied') : t('copy')}
    </Button>
  );
}
