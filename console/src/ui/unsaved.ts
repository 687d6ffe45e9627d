import { signal } from '@preact/signals';
import { t } from '../text/t.js';

/** A form with changes that are not saved. */
export interface Unsaved {
  /** Whether it is saved now; if not, the form says why. */
  readonly save: () => Promise<boolean>;
  readonly discard: () => void;
}

/** In the order of the page. */
export const unsaved = signal<readonly Unsaved[]>([]);

export function keepUnsaved(form: Unsaved): void {
  if (!unsaved.peek().includes(form)) unsaved.value = [...unsaved.peek(), form];
}

export function forgetUnsaved(form: Unsaved): void {
  if (unsaved.peek().includes(form)) unsaved.value = unsaved.peek().filter((one) => one !== form);
}

/** Asks before changes are lost. */
export function mayLeave(): boolean {
  return unsaved.peek().length === 0 || confirm(t('leave_without_saving'));
}

export function startLeaveGuard(): void {
  addEventListener('beforeunload', (event) => {
    if (unsaved.peek().length > 0) event.preventDefault();
  });
}
