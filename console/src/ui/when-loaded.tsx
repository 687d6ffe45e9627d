import type { ComponentChildren } from 'preact';
import { Busy } from './spinner.js';
import { Trouble } from './error-notice.js';
import type { Loaded } from './use-load.js';

interface WhenLoadedProps<T> {
  readonly of: Loaded<T>;
  /** What is said while nothing is there yet. */
  readonly busy: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What was asked for once it is there; a refusal stands above what was there before. */
export function WhenLoaded<T>({ of: { value, error, reload }, busy, children }: WhenLoadedProps<T>) {
  return (
    <>
      {error.value !== undefined && <Trouble error={error.value} retry={reload} />}
      {value.value === undefined ? error.value === undefined && <Busy>{busy}</Busy> : children(value.value)}
    </>
  );
}
