import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { detailsOf, sentencesOf } from '../text/error-words.js';
import { t } from '../text/t.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** Says that something is under way, and what. */
export function Busy({ children = t('loading') }: { readonly children?: string }) {
  return (
    <div class="busy" role="status">
      <span>{children}</span>
      <span class="bar" />
    </div>
  );
}

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
      <Trouble error={error.value} retry={reload} />
      {value.value === undefined ? error.value === undefined && <Busy>{busy}</Busy> : children(value.value)}
    </>
  );
}

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

interface TroubleProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** An error in words for people, where there is one; what an operator finds it by is behind one more tap. */
export function Trouble({ error, retry }: TroubleProps) {
  if (error === undefined) return null;
  const again = retry && <Button onClick={retry}>{t('try_again')}</Button>;
  return (
    <Refusal sentences={sentencesOf(error)} action={again}>
      <Details lines={detailsOf(error)} />
    </Refusal>
  );
}

interface RefusalProps {
  readonly sentences: readonly ComponentChildren[];
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Why something cannot be done. */
export function Refusal({ sentences, action, children }: RefusalProps) {
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div>
        {sentences.map((sentence, i) => (
          <p key={i}>{sentence}</p>
        ))}
        {children}
      </div>
      {action}
    </div>
  );
}

/** What somebody needs to know who is asked for help. */
export function Details({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details class="small">
      <summary>{t('details')}</summary>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </details>
  );
}
