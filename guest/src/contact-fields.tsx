import { contact, findMissing, LONGEST, type Contact } from './contact.js';
import { t } from './language.js';
import { place } from './place.js';
import { WhenField } from './when-field.js';

const ASKED = [
  { field: 'name', phrase: 'your_name', autocomplete: 'given-name' },
  { field: 'phone', phrase: 'your_phone', autocomplete: 'tel', type: 'tel', dir: 'ltr' },
] as const;

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
      {ASKED.map(
        ({ field, phrase, ...input }) =>
          wants?.[field] !== 'none' && (
            <label key={field} class="field">
              {label(phrase, wants?.[field])}
              <input
                class="input"
                {...input}
                value={contact.value[field]}
                maxLength={LONGEST[field]}
                required={wants?.[field] === 'required'}
                aria-invalid={missing === `${field}_missing`}
                onInput={({ currentTarget }) => set(field, currentTarget.value)}
              />
            </label>
          ),
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
