import type { StoreCreate } from '#sdk';
import { findStoreId, STORE_ID, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandRow, type Given, REQUIRED } from '../lib/command.js';
import { readValue } from '../lib/documents.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import type { Terminal } from '../lib/terminal.js';

const FIELDS = [
  ['--name <language=text...>', 'name in one or more languages, such as en="Corner Café"'],
  ['--external-id <text>', 'your own id for the store'],
  ['--phone <number>', 'phone number'],
  ['--address <line...>', 'up to three lines'],
  ['--city <text>', 'city'],
  ['--postal-code <text>', 'postal code'],
  ['--country <code>', 'two-letter country code; sets the default currency'],
  ['--timezone <name>', 'such as Europe/Madrid'],
  ['--currency <code>', 'such as EUR'],
  ['--accept-auto', 'accept new orders as they arrive'],
  ['--no-accept-auto', 'leave it to staff to accept orders'],
  ['--accept-within <minutes>', 'an order that is PENDING for longer needs attention', toWholeNumber],
  ['--not-accepted <action>', 'what happens to such an order', ['nothing', 'reject']],
  ['--in-pos-within <minutes>', 'an order that is not in_pos by then needs attention', toWholeNumber],
  ['--file <path>', 'JSON or YAML file with these or any other fields'],
] as const;

export const STORE_ROWS: readonly CommandRow[] = [
  command('stores create', 'create a store (operator key)', {
    flags: [
      ['--merchant <id>', 'merchant that the store belongs to', undefined, REQUIRED],
      [
        '--like <store>',
        'a store of the merchant whose settings, hours, places and printers it gets',
        { find: findStoreId },
      ],
      ['--menu', 'with --like: publish its menu too'],
      ...FIELDS,
    ],
    run: async ({ client, out, terminal }, { merchant, like, menu, ...given }) => {
      const { name, ...fields } = await toStoreFields(terminal, given);
      if (name === undefined) throw new UsageError('A store needs a name: --name en="Corner Café"');
      out.record(await client.createStore({ merchant_id: merchant, name, like, menu, ...fields }));
    },
  }),
  command('stores change', 'change a store (operator key)', {
    takes: [STORE_ID],
    flags: FIELDS,
    run: async ({ client, out, terminal }, { store, ...given }) =>
      out.record(await client.changeStore(store, await toStoreFields(terminal, given))),
  }),
];

type StoreField = Exclude<keyof StoreCreate, 'merchant_id' | 'like' | 'menu'>;
type StoreFields = { [Name in StoreField]?: StoreCreate[Name] | undefined };

/** A flag overrides the same field of the file. */
async function toStoreFields(terminal: Terminal, given: Given<[], typeof FIELDS>): Promise<StoreFields> {
  const fromFile = given.file === undefined ? {} : await readFields(terminal, given.file);
  const [line1, line2, line3] = given.address ?? [];
  const accept = withoutUndefined({
    auto: given.acceptAuto,
    within_minutes: given.acceptWithin,
    then: given.notAccepted,
  });
  const fromFlags: StoreFields = {
    name: given.name && { translations: toTranslations(given.name) },
    external_id: given.externalId,
    store_phone: given.phone,
    address_line_1: line1,
    address_line_2: line2,
    address_line_3: line3,
    city: given.city,
    postal_code: given.postalCode,
    country: given.country,
    timezone: given.timezone,
    currency: given.currency,
    accept: Object.keys(accept).length === 0 ? undefined : accept,
    in_pos_within_minutes: given.inPosWithin,
  };
  return { ...fromFile, ...withoutUndefined(fromFlags) };
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function readFields(terminal: Terminal, path: string): Promise<object> {
  const { name, value } = await readValue(terminal, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandFailed(EXIT.refused, `${name} is not an object with the fields of a store.`);
}

function toTranslations(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1) throw new UsageError(`--name ${text} has no language. Write --name en="${text}"`);
    return [text.slice(0, equals), text.slice(equals + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
