import { effect, signal, type Signal } from '@preact/signals';

/** What the page remembers on the guest's own device, for a day: the next guest at the table has another. */
const KEPT_MS = 24 * 60 * 60_000;

interface Kept<T> {
  readonly at: number;
  readonly value: T;
}

/** A signal that is still there after a reload. A browser that keeps nothing only forgets it then. */
export function keptSignal<T>(name: string, empty: T): Signal<T> {
  const kept = signal(read<T>(name) ?? empty);
  let isFirst = true;
  effect(() => {
    const { value } = kept;
    if (!isFirst) write(name, value === empty ? undefined : value);
    isFirst = false;
  });
  // Another tab of the same guest has changed it.
  addEventListener('storage', ({ key }) => {
    if (key !== name) return;
    isFirst = true;
    kept.value = read<T>(name) ?? empty;
    isFirst = false;
  });
  return kept;
}

function read<T>(name: string): T | undefined {
  try {
    const { at, value } = JSON.parse(localStorage.getItem(name) ?? 'null') as Kept<T>;
    return Date.now() - at < KEPT_MS ? value : undefined;
  } catch {
    return undefined;
  }
}

function write(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ at: Date.now(), value }));
  } catch {
    // Full, or not allowed.
  }
}
