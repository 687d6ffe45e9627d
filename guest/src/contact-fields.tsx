import { contact, findMissing, LONGEST, type Contact } from './contact.js';
import { t } from './language.js';
import { readyBy } from './ordering.js';
import { place, time } from './place.js';

export function ContactFields({ isStrict }: { readonly isStrict: boolean }) {
  const wants = place.value?.wants;
  const missing = isStrict ? findMissing() : undefined;
  const set = (field: keyof Contact, value: string) => {
    contact.value = { ...contact.value, [field]: value };
  };
  const label = (phrase: 'your_name' | 'your_phone', asked: string | undefined) =>
    asked === 'optional' ? `${t(phrase)} (${t('optional').toLocaleLowerCase()})` : t(phrase);
  return (
    <div class="stack tight">
      {place.value?.place.kind === 'pickup' && <WhenField />}
      {wants?.name !== 'none' && (
        <label class="field">
          {label('your_name', wants?.name)}
          <input
            class="input"
            autocomplete="given-name"
            value={contact.value.name}
            maxLength={LONGEST.name}
            required={wants?.name === 'required'}
            aria-invalid={missing === 'name_missing'}
            onInput={({ currentTarget }) => set('name', currentTarget.value)}
          />
        </label>
      )}
      {wants?.phone !== 'none' && (
        <label class="field">
          {label('your_phone', wants?.phone)}
          <input
            class="input"
            type="tel"
            autocomplete="tel"
            dir="ltr"
            value={contact.value.phone}
            maxLength={LONGEST.phone}
            required={wants?.phone === 'required'}
            aria-invalid={missing === 'phone_missing'}
            onInput={({ currentTarget }) => set('phone', currentTarget.value)}
          />
        </label>
      )}
      <label class="field">
        {t('comments')}
        <textarea
          class="input"
          rows={2}
          maxLength={LONGEST.comments}
          value={contact.value.comments}
          onInput={({ currentTarget }) => set('comments', currentTarget.value)}
        />
      </label>
    </div>
  );
}

const QUARTER_MS = 15 * 60_000;
const QUARTERS_AHEAD = 24;

/** Quarters of an hour from the first that the kitchen can keep; what is full by then is refused with a free one. */
function WhenField() {
  const minutes = place.value?.intake.ready_in_minutes ?? 0;
  const first = Math.ceil((Date.now() + minutes * 60_000 + 1) / QUARTER_MS) * QUARTER_MS;
  const quarters = Array.from({ length: QUARTERS_AHEAD }, (_, i) =>
    new Date(first + i * QUARTER_MS).toISOString(),
  );
  const picked = readyBy.value;
  const offered = picked === undefined || quarters.includes(picked) ? quarters : [picked, ...quarters];
  return (
    <label class="field">
      {t('when')}
      <select
        class="input"
        value={picked ?? ''}
        onChange={({ currentTarget: { value } }) => (readyBy.value = value === '' ? undefined : value)}
      >
        <option value="">{t('soon')}</option>
        {offered.map((at) => (
          <option key={at} value={at}>
            {time(at)}
          </option>
        ))}
      </select>
    </label>
  );
}
