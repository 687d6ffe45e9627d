import type { ManagedStore, StorePatch } from '#sdk';
import { Field } from './field.js';
import { formText } from './form-text.js';

interface StoreFieldsProps {
  readonly store?: ManagedStore | undefined;
  readonly isReadOnly?: boolean;
}

const TEXTS = [
  ['store_phone', 'Phone'],
  ['address_line_1', 'Address'],
  ['address_line_2', 'Address, second line'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['admin_area', 'Region'],
  ['location_name', 'Place'],
] as const;

/** The fields of a store, for making one and for changing it. */
export function StoreFields({ store, isReadOnly = false }: StoreFieldsProps) {
  const names = namesOf(store);
  return (
    <>
      <Field label="Name" hint="One line for each language, such as en: Corner Café">
        {(ids) => (
          <textarea
            {...ids}
            class="input"
            name="name"
            rows={Math.max(2, names.length)}
            readOnly={isReadOnly}
            required
            defaultValue={names.map(([language, text]) => `${language}: ${text}`).join('\n')}
          />
        )}
      </Field>
      <div class="pair">
        <Field label="Own number" hint="What your other systems call it">
          {(ids) => (
            <input
              {...ids}
              class="input"
              name="external_id"
              readOnly={isReadOnly}
              defaultValue={store?.external_id ?? ''}
            />
          )}
        </Field>
        <Field label="Timezone" hint="Serving hours and days are counted in it">
          {(ids) => (
            <input
              {...ids}
              class="input"
              name="timezone"
              list="timezones"
              readOnly={isReadOnly}
              placeholder="UTC"
              defaultValue={store?.timezone ?? ''}
            />
          )}
        </Field>
        <Field label="Country" hint="Two letters, such as ES">
          {(ids) => (
            <input
              {...ids}
              class="input"
              name="country"
              readOnly={isReadOnly}
              defaultValue={store?.country ?? ''}
            />
          )}
        </Field>
        <Field label="Currency" hint="Three letters; left empty, that of the country">
          {(ids) => (
            <input
              {...ids}
              class="input"
              name="currency"
              readOnly={isReadOnly}
              defaultValue={store?.currency ?? ''}
            />
          )}
        </Field>
        {TEXTS.map(([name, label]) => (
          <Field key={name} label={label}>
            {(ids) => (
              <input
                {...ids}
                class="input"
                name={name}
                readOnly={isReadOnly}
                defaultValue={store?.[name] ?? ''}
              />
            )}
          </Field>
        ))}
      </div>
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** What the form says; of a store that is there, only what differs. An emptied field is cleared. */
export function readStoreForm(data: FormData, store?: ManagedStore): StorePatch {
  const written: Record<string, unknown> = {};
  for (const name of [
    'external_id',
    'timezone',
    'country',
    'currency',
    ...TEXTS.map(([field]) => field),
  ] as const) {
    const text = formText(data, name);
    const present = store?.[name] ?? '';
    if (text !== present) written[name] = text === '' ? null : text;
  }
  const translations = readNames(formText(data, 'name'));
  if (JSON.stringify(translations) !== JSON.stringify(Object.fromEntries(namesOf(store))))
    written['name'] = { translations };
  return written;
}

function namesOf(store: ManagedStore | undefined): [string, string][] {
  const { translations = {} } = (store?.name ?? {}) as { translations?: Record<string, string> };
  return Object.entries(translations);
}

/** A line without a language is English. */
function readNames(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, language = 'en', name = line] = /^\s*([A-Za-z][\w-]{1,34})\s*:\s*(.*)$/.exec(line) ?? [];
      return [language, name.trim()];
    }),
  );
}
