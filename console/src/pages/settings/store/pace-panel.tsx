import { useSignal } from '@preact/signals';
import type { IntakeSettings, SpecialDay } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Field } from '../../../ui/field.js';
import { describeHours } from '../../../ui/hours.js';
import { say } from '../../../ui/toasts.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useLoad } from '../../../ui/use-load.js';
import { useTask } from '../../../ui/use-task.js';
import { WeekFields } from '../../../ui/weekly-hours-fields.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { may } from '../../../data/session.js';
import { describeSlots, describeSpecialDay, readPace, redoSpecialDays, SLOT_MINUTES } from './pace.js';
import { NumberField } from './number-field.js';
import { SpecialDays } from './special-days.js';

/** When the store takes orders, how long they take, and how many at once. */
export function PacePanel({ storeId }: { readonly storeId: string }) {
  const loaded = useLoad((signal) => client.getIntake(storeId, { signal }), [storeId]);
  return (
    <section class="panel stack" aria-labelledby="pace">
      <h2 id="pace">{t('Hours and pace')}</h2>
      <WhenLoaded of={loaded} busy={t('Reading the hours')}>
        {({ settings, revision }) =>
          may('store:write') ? (
            <PaceForm key={revision} storeId={storeId} settings={settings} onSaved={loaded.reload} />
          ) : (
            <PaceFacts settings={settings} />
          )
        }
      </WhenLoaded>
    </section>
  );
}

function PaceFacts({ settings }: { readonly settings: IntakeSettings }) {
  return (
    <dl class="facts">
      <dt>{t('Hours#of opening')}</dt>
      <dd>{describeHours(settings.hours)}</dd>
      {settings.special_days.map((day) => [
        <dt key={day.date}>{day.date}</dt>,
        <dd key={`${day.date} text`}>
          <bdi>{describeSpecialDay(day)}</bdi>
        </dd>,
      ])}
      <dt>{t('An order takes')}</dt>
      <dd>{t('{count} minute | {count} minutes', { count: settings.prep_minutes })}</dd>
      <dt>{t('At most')}</dt>
      <dd>{describeSlots(settings)}</dd>
    </dl>
  );
}

interface PaceFormProps {
  readonly storeId: string;
  readonly settings: IntakeSettings;
  readonly onSaved: () => void;
}

function PaceForm({ storeId, settings, onSaved }: PaceFormProps) {
  const { isBusy, error, run } = useTask();
  const specialDays = useSignal<readonly SpecialDay[]>(settings.special_days);
  const { capacity } = settings;
  const save = async (data: FormData) => {
    const patch = readPace(data, settings);
    const redo = redoSpecialDays(settings.special_days, specialDays.value);
    if (redo !== undefined) {
      const { settings: newest } = await client.getIntake(storeId);
      patch.special_days = redo(newest.special_days);
    }
    await client.changeIntakeSettings(storeId, patch);
    say(t('Hours and pace are set'));
    onSaved();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        run(() => save(data));
      }}
    >
      {error.value !== undefined && <Trouble error={error.value} />}
      <WeekFields
        hours={settings.hours}
        hint={t(
          'Such as 11:30-14:00, 18:00-01:00. A day left empty is closed; all left empty, the menus decide',
        )}
      />
      <SpecialDays days={specialDays.value} onChange={(days) => (specialDays.value = days)} />
      <fieldset class="field">
        <legend>{t('How much the kitchen takes')}</legend>
        <div class="pair">
          <NumberField
            name="prep_minutes"
            label={t('Minutes an order takes at least')}
            most={1440}
            least={0}
            value={settings.prep_minutes}
          />
          <Field label={t('Count orders in slots of')}>
            {(ids) => (
              <select
                {...ids}
                class="input"
                name="slot_minutes"
                defaultValue={String(capacity?.slot_minutes ?? '')}
              >
                <option value="">{t('no limit')}</option>
                {SLOT_MINUTES.map((minutes) => (
                  <option key={minutes} value={minutes} selected={minutes === capacity?.slot_minutes}>
                    {t('{count} minute | {count} minutes', { count: minutes })}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <NumberField name="slot_orders" label={t('Most orders a slot')} value={capacity?.orders} />
          <NumberField name="slot_items" label={t('Most items a slot')} value={capacity?.items} />
          <NumberField
            name="slot_prep"
            label={t('Most minutes of work a slot')}
            value={capacity?.prep_minutes}
          />
        </div>
      </fieldset>
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? t('One moment') : t('Set hours and pace')}
        </button>
      </div>
    </form>
  );
}
