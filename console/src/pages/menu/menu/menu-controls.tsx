import { useSignal, type Signal } from '@preact/signals';
import type { ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import { Field, InputField, SelectField } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
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
      <button
        type="button"
        class="button menu-controls-more"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon name="clock" />
        {t('time_and_language')}
      </button>
      <Field label={t('time_in_timezone', { timezone: timezone.replaceAll('_', ' ') })}>
        {(ids) => (
          <div class="time-choice">
            <button
              type="button"
              class="button"
              aria-pressed={wall === undefined}
              onClick={() => go({ at: wall === undefined ? toWall(Date.now(), timezone) : undefined })}
            >
              {t('now')}
            </button>
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
