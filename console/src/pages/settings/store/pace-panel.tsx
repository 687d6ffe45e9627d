import { useSignal } from '@preact/signals';
import type { Intake, IntakeSettings, SpecialDay } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Fact } from '../../../ui/fact.js';
import { NumberField, SelectField } from '../../../ui/field.js';
import { describeHours } from '../../../text/hours.js';
import { toDate } from '../../../text/format.js';
import { SettingsForm } from '../../../ui/settings-form.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { WeekFields } from '../../../ui/weekly-hours-fields.js';
import {
  describeSlots,
  describeSpecialDay,
  readPace,
  redoSpecialDays,
  SLOT_LIMITS,
  SLOT_MINUTES,
} from './pace.js';
import { SpecialDays, withDay } from './special-days.js';

/** When the store takes orders, how long they take, and how many at once. */
export function PacePanel({ storeId }: { readonly storeId: string }) {
  const loaded = useLoad((signal) => client.getIntake(storeId, { signal }), [storeId]);
  return (
    <section class="panel stack" aria-labelledby="pace">
      <h2 id="pace">{t('hours_and_pace')}</h2>
      <WhenLoaded of={loaded} busy={t('reading_the_hours')}>
        {({ settings }) =>
          may('store:write') ? (
            <PaceForm storeId={storeId} settings={settings} onSaved={loaded.set} />
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
      <Fact label={t('hours_of_opening')}>{describeHours(settings.hours)}</Fact>
      {settings.special_days.map((day) => (
        <Fact key={day.date} label={toDate(day.date)}>
          <bdi>{describeSpecialDay(day)}</bdi>
        </Fact>
      ))}
      <Fact label={t('an_order_takes')}>{t('count_minutes', { count: settings.prep_minutes })}</Fact>
      <Fact label={t('at_most')}>{describeSlots(settings)}</Fact>
    </dl>
  );
}

interface PaceFormProps {
  readonly storeId: string;
  readonly settings: IntakeSettings;
  readonly onSaved: (intake: Intake) => void;
}

function PaceForm({ storeId, settings, onSaved }: PaceFormProps) {
  const specialDays = useSignal<readonly SpecialDay[]>(settings.special_days);
  const typedDay = useSignal('');
  const wantedDays =
    typedDay.value === ''
      ? specialDays.value
      : withDay(specialDays.value, JSON.parse(typedDay.value) as SpecialDay);
  const { capacity } = settings;
  const save = async (data: FormData) => {
    const before = specialDays.peek();
    const patch = readPace(data, settings);
    const redo = redoSpecialDays(settings.special_days, wantedDays);
    if (redo !== undefined) {
      const { settings: newest } = await client.getIntake(storeId);
      patch.special_days = redo(newest.special_days);
    }
    const saved = await client.changeIntakeSettings(storeId, patch);
    const { special_days: days } = saved.settings;
    // What was done to the list while it was being saved is done to the saved one, to be saved next.
    specialDays.value = redoSpecialDays(before, specialDays.peek())?.(days) ?? days;
    onSaved(saved);
    return true;
  };
  return (
    <SettingsForm save={save} onDiscard={() => (specialDays.value = settings.special_days)}>
      <WeekFields hours={settings.hours} hint={t('such_as_11_30_14_00_18')} />
      <SpecialDays
        days={specialDays.value}
        onChange={(days) => (specialDays.value = days)}
        typed={typedDay}
      />
      <input
        hidden
        readOnly
        name="special_days"
        defaultValue={JSON.stringify(settings.special_days)}
        value={JSON.stringify(wantedDays)}
      />
      <fieldset class="field">
        <legend>{t('how_much_the_kitchen_takes')}</legend>
        <div class="pair">
          <NumberField
            name="prep_minutes"
            label={t('minutes_an_order_takes_at_least')}
            most={1440}
            value={settings.prep_minutes}
          />
          <NumberField
            name="ahead_days"
            label={t('days_ahead_that_orders_are_taken')}
            most={366}
            value={settings.ahead_days}
          />
          <SelectField
            label={t('count_orders_in_slots_of')}
            name="slot_minutes"
            options={[
              ['', t('no_limit_inline')],
              ...SLOT_MINUTES.map((count) => [String(count), t('count_minutes', { count })] as const),
            ]}
            present={String(capacity?.slot_minutes ?? '')}
          />
          {SLOT_LIMITS.map(({ name, label, of }) => (
            <NumberField
              key={name}
              name={name}
              label={label}
              least={1}
              most={100_000}
              value={capacity?.[of]}
            />
          ))}
        </div>
      </fieldset>
    </SettingsForm>
  );
}
