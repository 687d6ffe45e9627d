import { contact, findMissing, LONGEST, type Contact } from './contact.js';
import { t } from './language.js';
import { place } from './place.js';
import { WhenField } from './when-field.js';

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
      <WhenField />
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
