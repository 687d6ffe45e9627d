import { type Client, type ManagedStore, type OrderPatch, type Store, VALUES } from '#sdk';
import { InvalidArgumentError } from 'commander';
import { parseAmount, parseRate } from '../../menu-files/sheet/money.js';
import { isResourceId } from '../../support/uuid.js';
import { CommandFailed, EXIT, UsageError } from './errors.js';

export type OrderStatus = NonNullable<OrderPatch['status']>;

/** Accepts any case, and a dash for the underscore. */
export function toOrderStatus(text: string): OrderStatus {
  const wanted = text.toUpperCase().replace('-', '_');
  const status = VALUES.OrderPatch.status.find((known) => known === wanted);
  if (status === undefined)
    throw new InvalidArgumentError(`Expected one of ${VALUES.OrderPatch.status.join(', ')}.`);
  return status;
}

export function toWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

export function toRate(text: string): number {
  const rate = parseRate(text);
  if (rate === undefined) throw new InvalidArgumentError('Expected per cent, such as 10 or 7.7.');
  return rate;
}

/** `2.50` in the minor unit of the currency. */
export function toMinor(text: string, currency: string | undefined): number {
  const isNegative = text.startsWith('-');
  const amount = parseAmount(isNegative ? text.slice(1) : text, currency);
  if (amount === undefined) throw new UsageError(`${text} is not an amount such as 2.50.`);
  return isNegative ? -amount : amount;
}

/** Arguments and options shared by several commands. */
export const MERCHANT = ['<merchant>', 'its id'] as const;
export const ORDER = ['<order>', 'its id'] as const;
/** As it was typed, for commands that check their flags before they ask the service. */
export const STORE_TEXT = ['<store>', 'store id or external_id'] as const;
export const STORE_ID = [...STORE_TEXT, { find: findStoreId }] as const;
/** With its currency and timezone, which amounts and times are shown in. */
export const STORE = [...STORE_TEXT, { find: findStore }] as const;
export const ONLY_STORES = [
  '--store <store...>',
  'only these stores, by id or external_id (default: every store)',
  { find: findStoreId },
] as const;
export const NDJSON_OUTPUT = [
  '-o, --output <file>',
  'output file, compressed if it ends in .gz (default: standard output)',
] as const;
export const OF_MERCHANT = ['--merchant <id>', 'only those of this merchant'] as const;
export const TYPES = ['--type <name...>', 'only these types', VALUES.WebhookCreate.types] as const;
export const WEBHOOK = [
  '<webhook>',
  'webhook id',
  idOr('Not a webhook id. See: comanda webhooks list'),
] as const;
/** The argument may be a secret, so the message does not repeat it. */
export const KEY = [
  '<key>',
  'key id, not the secret',
  idOr('Not a key id. Use the id of the key, not its secret. See: comanda keys list'),
] as const;

function idOr(refusal: string): (given: string) => string {
  return (given) => {
    if (isResourceId(given)) return given;
    throw new UsageError(refusal);
  };
}

/** Finds a store by its id or its external_id. */
export async function findStoreId(client: Client, given: string): Promise<string> {
  if (isResourceId(given)) return given;
  const matches: Store[] = [];
  for await (const store of client.iterateStores()) if (store.external_id === given) matches.push(store);
  const [store] = matches;
  if (store === undefined)
    throw new CommandFailed(
      EXIT.notFound,
      `No store has the id or external_id ${given}. See: comanda stores list`,
    );
  if (matches.length > 1)
    throw new UsageError(
      `${matches.length} stores have the external_id ${given}. Use the id instead. See: comanda stores list`,
    );
  return store.id;
}

/** Gets a store with its currency and timezone, which amounts and times are shown in. */
export async function findStore(client: Client, given: string): Promise<ManagedStore> {
  return client.getManagedStore(await findStoreId(client, given));
}

/** The English name if there is one, otherwise the first. */
export function nameOf({ name }: { readonly name: object }): string {
  const { translations } = name as { translations?: Record<string, string> };
  return translations?.['en'] ?? Object.values(translations ?? {})[0] ?? '';
}

type Named = { id: string; label: string; external_id?: string | undefined };

/** An argument that names something of the store before it by its id, label or external_id. */
export function ofStore<T extends Named, const Noun extends string>(
  noun: Noun,
  readAll: (client: Client, storeId: string) => Promise<readonly T[]>,
) {
  const find = async (client: Client, wanted: string, { store }: Readonly<Record<string, unknown>>) => {
    const all = await readAll(client, store as string);
    const found = all.filter(({ id, label, external_id: own }) => [id, label, own].includes(wanted));
    const [one] = found;
    if (one === undefined)
      throw new CommandFailed(
        EXIT.notFound,
        `No ${noun} has the id or label ${wanted}. See: comanda ${noun}s list`,
      );
    if (found.length > 1)
      throw new UsageError(`${found.length} ${noun}s are called ${wanted}. Use the id instead.`);
    return one;
  };
  return [`<${noun}>`, `${noun} id or label`, { find }] as const;
}
