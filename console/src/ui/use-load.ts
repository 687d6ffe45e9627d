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

/** Asks the service when the page comes up and whenever what it asks for changes; an answer that is overtaken is dropped. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, asked: readonly unknown[]): Loaded<T> {
  const value = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isLoading = useSignal(true);
  const running = useRef<AbortController>(undefined);

  const run = useCallback(() => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    isLoading.value = true;
    load(control.signal).then(
      (answer) => {
        if (control.signal.aborted) return;
        value.value = answer;
        error.value = undefined;
        isLoading.value = false;
      },
      (reason: unknown) => {
        if (control.signal.aborted) return;
        error.value = reason;
        isLoading.value = false;
      },
    );
  }, asked);

  useEffect(() => {
    run();
    return () => running.current?.abort();
  }, [run]);

  const set = useCallback((next: T) => {
    value.value = next;
  }, []);
  return { value, error, isLoading, reload: run, set };
}
