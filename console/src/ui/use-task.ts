import { useSignal, type ReadonlySignal } from '@preact/signals';

export interface Task {
  readonly isBusy: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  /** Runs it unless it is running; its refusal becomes the error. */
  readonly run: (work: () => Promise<void>) => void;
}

/** Something that a person sets off: whether it is under way, and how it was refused. */
export function useTask(): Task {
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const run = (work: () => Promise<void>) => {
    if (isBusy.value) return;
    isBusy.value = true;
    error.value = undefined;
    work()
      .catch((reason: unknown) => (error.value = reason))
      .finally(() => (isBusy.value = false));
  };
  return { isBusy, error, run };
}
