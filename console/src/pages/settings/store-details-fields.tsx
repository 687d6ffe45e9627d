import type { ManagedStore } from '#sdk';
import { t } from '../../text/t.js';
import { InputField, LinesField, Tick, formText } from '../../ui/field.js';

/** Before a further line of a text, which may have a colon of its own. */
const INDENT = '  ';

/** Fields of a store that are no single text on the wire: each is one line of the form, or a line for each entry. */

const NAMED = [
  { name: 'business', label: t('kind_of_business'), hint: t('such_as_restaurant'), of: businessOf },
  { name: 'kind', label: t('kind_of_store'), hint: t('such_as_dine_in_and_takeaway'), of: kindOf },
  { name: 'cuisine', label: t('cuisine'), hint: t('such_as_italian'), of: cuisineOf },
] as const;

const DAYS = [
  { name: 'order_days', label: t('keep_orders_for_days') },
  { name: 'customer_days', label: t('keep_customers_for_days') },
] as const;

const LISTED = [
  { name: 'phones', label: t('more_phone_numbers'), hint: t('one_a_line'), of: phonesOf },
  {
    name: 'contacts',
    label: t('contacts'),
    hint: t('one_a_line_such_as_email'),
    of: contactsOf,
  },
] as const;

export function StoreMoreFields({ store }: { readonly store: ManagedStore | undefined }) {
  return (
    <>
      <div class="pair">
        {NAMED.map(({ name, label, hint, of }) => (
          <InputField key={name} name={name} label={label} hint={hint} defaultValue={of(store)} />
        ))}
      </div>
      <div class="pair">
        {LISTED.map(({ name, label, hint, of }) => (
          <LinesField key={name} name={name} label={label} hint={hint} rows={3} text={of(store)} />
        ))}
      </div>
      <div class="pair">
        {DAYS.map(({ name, label }) => (
          <InputField
            key={name}
            name={name}
            type="number"
            label={label}
            hint={t('left_empty_for_ever')}
            defaultValue={String(store?.[name] ?? '')}
          />
        ))}
      </div>
      <Tick
        name="orders_checked"
        defaultChecked={store?.orders_checked === true}
        label={t('check_every_order_against_the_menu')}
      />
    </>
  );
}

export function moreFacts(store: ManagedStore): (readonly [string, string])[] {
  return [
    ...NAMED.map(({ label, of }) => [label, of(store)] as const),
    ...LISTED.map(({ label, of }) => [label, of(store)] as const),
    ...DAYS.map(({ name, label }) => [label, String(store[name] ?? '')] as const),
    [t('orders'), store.orders_checked === true ? t('checked_against_the_menu') : ''],
  ];
}

/** What of these fields differs from the store. */
export function readMore(data: FormData, store: ManagedStore | undefined): Record<string, unknown> {
  const text = (name: string) => formText(data, name).replaceAll('\r', '');
  const written: Record<string, unknown> = {};
  if (text('business') !== businessOf(store) || text('kind') !== kindOf(store))
    written['store_type'] = orNull({ content: text('kind') || null, business_type: named(text('business')) });
  if (text('cuisine') !== cuisineOf(store))
    written['restaurant_configuration'] = orNull({ cuisine_type: named(text('cuisine')) });
  if (text('phones') !== phonesOf(store))
    written['phone_numbers'] = linesOf(text('phones')).map((number) => ({ phone_number: number }));
  if (text('contacts') !== contactsOf(store)) written['contacts'] = readContacts(text('contacts'), store);
  for (const { name } of DAYS)
    if (text(name) !== String(store?.[name] ?? ''))
      written[name] = text(name) === '' ? null : Number(text(name));
  const isChecked = data.has('orders_checked');
  if (isChecked !== (store?.orders_checked === true)) written['orders_checked'] = isChecked;
  return written;
}

function businessOf(store: ManagedStore | undefined): string {
  return store?.store_type?.business_type?.name ?? '';
}

function kindOf(store: ManagedStore | undefined): string {
  return store?.store_type?.content ?? '';
}

function cuisineOf(store: ManagedStore | undefined): string {
  return store?.restaurant_configuration?.cuisine_type?.name ?? '';
}

function phonesOf(store: ManagedStore | undefined): string {
  return (store?.phone_numbers ?? []).map(({ phone_number: number }) => number).join('\n');
}

function contactsOf(store: ManagedStore | undefined): string {
  return Object.entries(store?.contacts ?? {})
    .map(([key, value]) => `${key}: ${toText(value).replaceAll('\n', `\n${INDENT}`)}`)
    .join('\n');
}

/** Contacts may hold any JSON; what is no text is written as JSON, and stays what it is unless it is changed. */
function readContacts(text: string, store: ManagedStore | undefined): Record<string, unknown> | null {
  const written: [string, string][] = [];
  for (const line of text.split('\n')) {
    const [, key = line, value] = /^(\S[^:]*):\s*(.*)$/.exec(line) ?? [];
    const last = written.at(-1);
    if (value === undefined && last !== undefined) last[1] += `\n${line.replace(INDENT, '')}`;
    else written.push([key.trim(), value ?? '']);
  }
  const entries = written.map(([key, value]): [string, unknown] => {
    const present = store?.contacts?.[key];
    return [key, present !== undefined && toText(present).trim() === value.trim() ? present : value.trim()];
  });
  return text === '' ? null : Object.fromEntries(entries);
}

function toText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\r', '');
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function named(name: string): { name: string } | null {
  return name === '' ? null : { name };
}

function orNull<T extends Record<string, unknown>>(value: T): T | null {
  return Object.values(value).every((one) => one === null) ? null : value;
}
