import type { ManagedStore, StorePatch } from '#sdk';
import { Field, InputField } from './field.js';
import { formText } from './form-text.js';

interface StoreFieldsProps {
  readonly store?: ManagedStore | undefined;
  readonly isReadOnly?: boolean;
}

const FIELDS = [
  { name: 'external_id', label: 'Own number', hint: 'What your other systems call it' },
  {
    name: 'timezone',
    label: 'Timezone',
    hint: 'Serving hours and days are counted in it',
    list: 'timezones',
    placeholder: 'UTC',
  },
  { name: 'country', label: 'Country', hint: 'Two letters, such as ES' },
  { name: 'currency', label: 'Currency', hint: 'Three letters; left empty, that of the country' },
  { name: 'store_phone', label: 'Phone' },
  { name: 'address_line_1', label: 'Address' },
  { name: 'address_line_2', label: 'Address, second line' },
  { name: 'postal_code', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'admin_area', label: 'Region' },
  { name: 'location_name', label: 'Place' },
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
        {FIELDS.map((field) => (
          <InputField
            key={field.name}
            {...field}
            readOnly={isReadOnly}
            defaultValue={store?.[field.name] ?? ''}
          />
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
  for (const { name } of FIELDS) {
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
