import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';

export interface Loaded<T> {
  readonly value: ReadonlySignal<T | undefined>;
  readonly error: ReadonlySignal<unknown>;
  readonly isLoading: ReadonlySignal<boolean>;
  /** Asks again; what is there stays until the answer comes. */
  readonly reload: () => void;
  readonly set: (value: T) => void;
}

/**
 * Asks the service when the page comes up and whenever what it asks for changes; an answer that is overtaken is dropped.
 * Asking for the same again waits for the answer that is on its way: over a slow connection, none would come otherwise.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, asked: readonly unknown[]): Loaded<T> {
  const value = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isLoading = useSignal(true);
  const running = useRef<AbortController>(undefined);
  const reloads = useRef(0);

  const run = useCallback(async () => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    isLoading.value = true;
    let before: number;
    do {
      before = reloads.current;
      try {
        const answer = await load(signal);
        if (signal.aborted) return;
        value.value = answer;
        error.value = undefined;
      } catch (reason) {
        if (signal.aborted) return;
        error.value = reason;
      }
    } while (reloads.current > before);
    isLoading.value = false;
  }, asked);

  const reload = useCallback(() => {
    reloads.current += 1;
    if (!isLoading.peek()) void run();
  }, [run]);

  useEffect(() => {
    void run();
    return () => running.current?.abort();
  }, [run]);

  const set = useCallback((next: T) => {
    value.value = next;
  }, []);
  return { value, error, isLoading, reload, set };
}
