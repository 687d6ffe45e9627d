import type { ManagedStore, StorePatch } from '#sdk';
import { t, locale } from '../../text/t.js';
import { currencyOfCountry, COUNTRIES } from '../../../../src/tenants/currency.js';
import { namesOf } from '../../data/stores.js';
import { Fact } from '../../ui/fact.js';
import { InputField, LinesField, SelectField, formText } from '../../ui/field.js';
import { moreFacts, readMore, StoreMoreFields } from './store-details-fields.js';
import { readTexts, writeTexts } from '../../text/texts-by-language.js';

const FIELDS = [
  { name: 'external_id', label: t('your_reference'), hint: t('what_your_other_systems_call_it') },
  {
    name: 'timezone',
    label: t('timezone'),
    hint: t('serving_hours_and_days_are_counted'),
    list: 'timezones',
    placeholder: 'UTC',
  },
  { name: 'country', label: t('country'), codes: listCountries, none: t('not_stated') },
  {
    name: 'currency',
    label: t('currency'),
    hint: t('without_one_prices_are_shown_in'),
    codes: listCurrencies,
    none: t('that_of_the_country'),
  },
  { name: 'store_phone', label: t('phone') },
  { name: 'address_line_1', label: t('address') },
  { name: 'address_line_2', label: t('address_second_line') },
  { name: 'address_line_3', label: t('address_third_line') },
  { name: 'postal_code', label: t('postal_code') },
  { name: 'city', label: t('city') },
  { name: 'admin_area', label: t('region') },
  { name: 'location_name', label: t('place_of_a_store') },
] as const;

/** The fields of a store, for making one and for changing it. */
export function StoreFields({ store }: { readonly store?: ManagedStore | undefined }) {
  return (
    <>
      <LinesField
        label={t('name')}
        hint={t('one_line_for_each_language_such_as')}
        name="name"
        required
        text={writeTexts(namesOf(store))}
      />
      <div class="pair">
        {FIELDS.map((field) =>
          'codes' in field ? (
            <CodeField
              key={field.name}
              {...field}
              codes={field.codes()}
              present={store?.[field.name] ?? ''}
            />
          ) : (
            <InputField key={field.name} {...field} defaultValue={store?.[field.name] ?? ''} />
          ),
        )}
      </div>
      <StoreMoreFields store={store} />
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** A store for those who may not change it. */
export function StoreFacts({ store }: { readonly store: ManagedStore }) {
  const facts = [
    ...Object.entries(namesOf(store)).map(
      ([language, text]) => [t('name_language', { language }), text] as const,
    ),
    ...FIELDS.map(({ name, label }) => [label, store[name] ?? ''] as const),
    ...moreFacts(store),
  ].filter(([, text]) => text !== '');
  return (
    <dl class="facts">
      {facts.map(([label, text]) => (
        <Fact key={label} label={label}>
          <bdi>{text}</bdi>
        </Fact>
      ))}
    </dl>
  );
}

interface CodeFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly codes: readonly Code[];
  /** What it means to choose none. */
  readonly none: string;
  readonly present: string;
}

function CodeField({ codes, none, present, ...field }: CodeFieldProps) {
  const isListed = present === '' || codes.some(({ code }) => code === present);
  return (
    <SelectField
      {...field}
      options={[
        ['', none],
        ...(isListed ? [] : [[present, present] as const]),
        ...codes.map(({ code, words }) => [code, words] as const),
      ]}
      present={present}
    />
  );
}

/** What the form says; of a store that is there, only what differs. An emptied field is cleared. */
export function readStoreForm(data: FormData, store?: ManagedStore): StorePatch {
  const written = readMore(data, store);
  for (const { name } of FIELDS) {
    const typed = formText(data, name);
    const text =
      name === 'currency' && typed === '' ? (currencyOfCountry(formText(data, 'country')) ?? '') : typed;
    const present = store?.[name] ?? '';
    if (text !== present) written[name] = text === '' ? null : text;
  }
  const translations = readTexts(formText(data, 'name'), namesOf(store));
  if (translations !== undefined) written['name'] = { translations };
  return written;
}

interface Code {
  readonly code: string;
  readonly words: string;
}

/** ISO 3166-1 and ISO 4217, with what people call them, in the order of what they are called. */
function listCountries(): Code[] {
  return named(COUNTRIES, 'region');
}

function listCurrencies(): Code[] {
  return named(Intl.supportedValuesOf('currency'), 'currency');
}

function named(codes: readonly string[], type: 'region' | 'currency'): Code[] {
  const names = new Intl.DisplayNames(locale() ?? 'en', { type, fallback: 'code' });
  return codes
    .map((code) => ({ code, words: `${names.of(code) ?? code} (${code})` }))
    .sort((one, other) => one.words.localeCompare(other.words));
}
