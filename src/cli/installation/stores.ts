import type { Store, StoreCreate } from '#sdk';
import { Option, type Command } from 'commander';
import { findStore, findStoreId, nameOf, STORE, toWholeNumber, YES } from '../lib/arguments.js';
import { confirmOrStop, setAction } from '../lib/command.js';
import { parseDocument, readDocument } from '../lib/documents.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import type { Terminal } from '../lib/terminal.js';

export function addStoreCommands(program: Command, terminal: Terminal): void {
  const stores = program.command('stores').description('manage stores');

  const list = stores
    .command('list')
    .description('list stores')
    .option('--merchant <id>', 'only stores of this merchant');
  setAction(list, terminal, async ({ connect, out }, { merchant }: { merchant?: string }) => {
    await out.listAll(
      storesOf((await connect()).iterateStores(), merchant),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'NAME', value: nameOf, shrinksTo: 12 },
        { title: 'EXTERNAL ID', value: (store) => store.external_id, isExtra: true },
        { title: 'CITY', value: ({ city }) => city, shrinksTo: 8, isExtra: true },
        { title: 'MERCHANT', value: (store) => store.merchant?.brand_name, shrinksTo: 10, isExtra: true },
      ],
      'No stores.',
    );
  });

  const show = stores
    .command('show')
    .description('show one store')
    .argument(...STORE);
  setAction(show, terminal, async ({ connect, out }, _flags, given: string) => {
    out.record(await findStore(await connect(), given));
  });

  const create = stores
    .command('create')
    .description('create a store (operator key)')
    .requiredOption('--merchant <id>', 'merchant that the store belongs to');
  setAction(
    withStoreFlags(create),
    terminal,
    async ({ connect, out }, flags: StoreFlags & { merchant: string }) => {
      const { name, ...fields } = await toStoreFields(terminal, flags);
      if (name === undefined)
        throw new CommandFailed(EXIT.usage, 'A store needs a name: --name en="Corner Café"');
      out.record(await (await connect()).createStore({ merchant_id: flags.merchant, name, ...fields }));
    },
  );

  const change = stores
    .command('change')
    .description('change a store (operator key)')
    .argument(...STORE);
  setAction(withStoreFlags(change), terminal, async ({ connect, out }, flags: StoreFlags, given: string) => {
    const client = await connect();
    const fields = await toStoreFields(terminal, flags);
    out.record(await client.changeStore(await findStoreId(client, given), fields));
  });

  addStoreDeletion(stores, terminal);
}

function addStoreDeletion(stores: Command, terminal: Terminal): void {
  const remove = stores
    .command('delete')
    .description('permanently delete a store and all its data (operator key)')
    .argument(...STORE)
    .option('--force', 'delete even if it has orders, and the orders too')
    .option(...YES);
  setAction(remove, terminal, async (context, flags: { force?: boolean; yes?: boolean }, given: string) => {
    const client = await context.connect();
    const store = await findStore(client, given);
    const what = flags.force === true ? ' with all its orders' : '';
    await confirmOrStop(
      context,
      `Permanently delete the store ${nameOf(store)} (${store.id})${what}?`,
      flags.yes,
    );
    await client.deleteStore(store.id, { force: flags.force });
    context.out.done(`Deleted the store ${store.id}.`, { deleted: store.id });
  });
}

async function* storesOf(stores: AsyncIterable<Store>, merchant: string | undefined): AsyncGenerator<Store> {
  for await (const store of stores)
    if (merchant === undefined || store.merchant?.id === merchant) yield store;
}

interface StoreFlags {
  readonly name?: readonly string[];
  readonly externalId?: string;
  readonly phone?: string;
  readonly address?: readonly string[];
  readonly city?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly timezone?: string;
  readonly currency?: string;
  readonly acceptAuto?: boolean;
  readonly acceptWithin?: number;
  readonly notAccepted?: 'nothing' | 'reject';
  readonly inPosWithin?: number;
  readonly file?: string;
}

type StoreField = Exclude<keyof StoreCreate, 'merchant_id'>;
type StoreFields = { [Name in StoreField]?: StoreCreate[Name] | undefined };

function withStoreFlags(command: Command): Command {
  return command
    .option('--name <language=text...>', 'name in one or more languages, such as en="Corner Café"')
    .option('--external-id <text>', 'your own id for the store')
    .option('--phone <number>', 'phone number')
    .option('--address <line...>', 'up to three lines')
    .option('--city <text>', 'city')
    .option('--postal-code <text>', 'postal code')
    .option('--country <code>', 'two-letter country code; sets the default currency')
    .option('--timezone <name>', 'such as Europe/Madrid')
    .option('--currency <code>', 'such as EUR')
    .option('--accept-auto', 'accept new orders as they arrive')
    .option('--no-accept-auto', 'leave it to staff to accept orders')
    .option('--accept-within <minutes>', 'an order that is PENDING for longer needs attention', toWholeNumber)
    .addOption(
      new Option('--not-accepted <action>', 'what happens to such an order').choices(['nothing', 'reject']),
    )
    .option('--in-pos-within <minutes>', 'an order that is not in_pos by then needs attention', toWholeNumber)
    .option('--file <path>', 'JSON or YAML file with these or any other fields');
}

/** A flag marks the same field of the file. */
async function toStoreFields(terminal: Terminal, flags: StoreFlags): Promise<StoreFields> {
  const fromFile = flags.file === undefined ? {} : await readFields(terminal, flags.file);
  const [line1, line2, line3] = flags.address ?? [];
  const accept = withoutUndefined({
    auto: flags.acceptAuto,
    within_minutes: flags.acceptWithin,
    then: flags.notAccepted,
  });
  const fromFlags: StoreFields = {
    name: flags.name === undefined ? undefined : { translations: toTranslations(flags.name) },
    external_id: flags.externalId,
    store_phone: flags.phone,
    address_line_1: line1,
    address_line_2: line2,
    address_line_3: line3,
    city: flags.city,
    postal_code: flags.postalCode,
    country: flags.country,
    timezone: flags.timezone,
    currency: flags.currency,
    accept: Object.keys(accept).length === 0 ? undefined : accept,
    in_pos_within_minutes: flags.inPosWithin,
  };
  return { ...fromFile, ...withoutUndefined(fromFlags) };
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function readFields(terminal: Terminal, path: string): Promise<object> {
  const document = await readDocument(terminal, path);
  const value = parseDocument(terminal, document);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandFailed(EXIT.refused, `${document.name} is not an object with the fields of a store.`);
}

function toTranslations(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw new CommandFailed(EXIT.usage, `--name ${text} has no language. Write --name en="${text}"`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
