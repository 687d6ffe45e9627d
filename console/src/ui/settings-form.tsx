import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../text/t.js';
import { Trouble, useTask } from './loading.js';
import { say } from './toasts.js';
import { forgetUnsaved, keepUnsaved, unsaved, type Unsaved } from './unsaved.js';
import { Button } from './button.js';

interface SettingsFormProps {
  /** Resolves to false if a person changed their mind. */
  readonly save: (data: FormData) => Promise<boolean | undefined>;
  /** Puts back what is no field of the form. */
  readonly onDiscard?: () => void;
  readonly children: ComponentChildren;
}

/** The fields of a panel. The page has one `SaveBar` for all of them, and asks before it is left with changes. */
export function SettingsForm({ save, onDiscard, children }: SettingsFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef({ save, onDiscard });
  latest.current = { save, onDiscard };
  const made = useSignal(0);
  /** How often something was typed or chosen. */
  const typed = useRef(0);
  const error = useSignal<unknown>(undefined);
  const startAgain = () => {
    forgetUnsaved(self);
    error.value = undefined;
    made.value += 1;
  };
  const self = useMemo((): Unsaved => {
    return {
      save: async () => {
        if (form.current === null || !form.current.reportValidity()) return false;
        error.value = undefined;
        const before = typed.current;
        try {
          if ((await latest.current.save(new FormData(form.current))) === false) return false;
        } catch (reason) {
          error.value = reason;
          return false;
        }
        // What was typed while it was being saved stays, to be saved next.
        if (typed.current === before) startAgain();
        return true;
      },
      discard: () => {
        latest.current.onDiscard?.();
        startAgain();
      },
    };
  }, []);
  const look = () => {
    if (form.current !== null && [...form.current.elements].some(isTouched)) keepUnsaved(self);
    else forgetUnsaved(self);
  };
  // Also after a change that no event tells of, such as a day that was added to a list.
  useEffect(look);
  useEffect(() => () => forgetUnsaved(self), []);
  return (
    <form
      // Made anew once it is saved: fields that were typed into follow what is saved.
      key={made.value}
      ref={form}
      class="form"
      onInput={() => {
        typed.current += 1;
        look();
      }}
      onChange={look}
      onSubmit={(event) => {
        event.preventDefault();
        void saveAll();
      }}
    >
      <Trouble error={error.value} />
      {children}
      <button type="submit" hidden />
    </form>
  );
}

/** Saves or drops what was changed in any form of the page. */
export function SaveBar() {
  const { isBusy, run } = useTask();
  if (unsaved.value.length === 0) return null;
  return (
    <div class="save-bar" role="region" aria-label={t('unsaved_changes')}>
      <strong>{t('unsaved_changes')}</strong>
      <Button disabled={isBusy.value} onClick={() => unsaved.peek().forEach((form) => form.discard())}>
        {t('discard')}
      </Button>
      <Button look="primary" disabled={isBusy.value} onClick={() => run(saveAll)}>
        {isBusy.value ? t('saving') : t('save')}
      </Button>
    </div>
  );
}

/** One after the other: each writes the same store. It ends at the first that cannot be saved. */
async function saveAll(): Promise<void> {
  for (const form of unsaved.peek()) if (!(await form.save())) return;
  say(t('saved'));
}

/** Whether a field says something else than what is saved. Fields that nobody touched follow what others save. */
function isTouched(field: Element): boolean {
  if (field instanceof HTMLSelectElement) return field.value !== (field.dataset['present'] ?? field.value);
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement) || field.name === '') return false;
  return field.type === 'checkbox'
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}
