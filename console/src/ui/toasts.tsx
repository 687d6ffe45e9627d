import { signal } from '@preact/signals';
import { t } from '../text/t.js';
import { Button } from './button.js';
import { sentencesOf } from '../text/error-words.js';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MS = 6_000;
/** Long enough to read what happened, see that it was a mistake and reach the button. */
const SHOWN_WITH_ACTION_MS = 12_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Says a sentence at the edge of the screen for a moment. */
export function say(text: string, action?: Toast['action']): void {
  lastId += 1;
  const toast: Toast = { id: lastId, text, ...(action === undefined ? {} : { action }) };
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => dismiss(toast.id), action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
}

export function sayError(error: unknown): void {
  say(sentencesOf(error).join(' '));
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action !== undefined && (
            <Button
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </Button>
          )}
          <Button look="square" icon="close" aria-label={t('dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
