import { useSignal, type Signal } from '@preact/signals';
import type { ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Field, InputField, SelectField } from '../../../ui/field.js';
import { languageName } from '../../../text/languages.js';
import { navigate, place, toHref } from '../../../app/router.js';
import { timezoneOf } from '../../../data/stores.js';
import { toWall } from '../../../../../src/calendar/wall-clock.js';
import type { MenuView } from './menu-view.js';

interface MenuControlsProps {
  readonly store: ManagedStore;
  readonly view: MenuView;
  readonly language: string;
  readonly wall: string | undefined;
  readonly search: Signal<string>;
}

/** Language and time are part of the address; the search is not, for it is over in a moment. */
export function MenuControls({ store, view, language, wall, search }: MenuControlsProps) {
  const timezone = timezoneOf(store);
  // On a phone, time and language are folded away.
  const isOpen = useSignal(false);
  const go = (change: { lang?: string; at?: string | undefined }) => {
    const { query, path } = place.value;
    const present = { lang: query.get('lang') ?? undefined, at: query.get('at') ?? undefined };
    navigate(toHref(path, { ...present, ...change }), { isReplacing: true });
  };
  return (
    <div class="menu-controls" data-open={isOpen.value}>
      <InputField
        label={t('search')}
        type="search"
        placeholder={t('name_description_or_id')}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <Button
        look="menu-controls-more"
        icon="clock"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {t('time_and_language')}
      </Button>
      <Field label={t('time_in_timezone', { timezone: timezone.replaceAll('_', ' ') })}>
        {(ids) => (
          <div class="time-choice">
            <Button
              aria-pressed={wall === undefined}
              onClick={() => go({ at: wall === undefined ? toWall(Date.now(), timezone) : undefined })}
            >
              {t('now')}
            </Button>
            <input
              {...ids}
              class="input"
              type="datetime-local"
              value={wall ?? toWall(Date.now(), timezone)}
              onChange={(event) => go({ at: event.currentTarget.value || undefined })}
            />
          </div>
        )}
      </Field>
      {view.languages.length > 1 && (
        <SelectField
          label={t('language')}
          options={view.languages.map((tag) => [tag, languageName(tag)])}
          chosen={language}
          onChoose={(lang) => go({ lang })}
        />
      )}
    </div>
  );
}
