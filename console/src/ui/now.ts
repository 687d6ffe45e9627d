import { signal } from '@preact/signals';

const TICK_MS = 1_000;

/** The time that is shown, a second exact: what counts down or ages follows it. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
}
