import type { Client, ManagedStore, OrderPatch, Store } from '#sdk';
import { InvalidArgumentError } from 'commander';
import { isResourceId } from '../../support/uuid.js';
import { CommandFailed, EXIT } from './errors.js';

export type OrderStatus = NonNullable<OrderPatch['status']>;

const ORDER_STATUSES: readonly OrderStatus[] = [
  'PENDING',
  'ACCEPTED',
  'READY',
  'FULFILLED',
  'REJECTED',
  'CUSTOMER_CANCELLED',
  'STORE_CANCELLED',
];

/** Accepts any case, and a dash for the underscore. */
export function toOrderStatus(text: string): OrderStatus {
  const wanted = text.toUpperCase().replace('-', '_');
  const status = ORDER_STATUSES.find((known) => known === wanted);
  if (status === undefined) throw new InvalidArgumentError(`Expected one of ${ORDER_STATUSES.join(', ')}.`);
  return status;
}

export function toWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

/** Arguments and options shared by several commands. */
export const STORE = ['<store>', 'store id or external_id'] as const;
export const YES = ['-y, --yes', 'skip the confirmation'] as const;
export const WEBHOOK = ['<webhook>', 'webhook id', webhookId] as const;

function webhookId(given: string): string {
  if (isResourceId(given)) return given;
  throw new CommandFailed(EXIT.usage, 'Not a webhook id. See: comanda webhooks list');
}

/** Finds a store by its id or its external_id. */
export async function findStoreId(client: Client, given: string): Promise<string> {
  if (isResourceId(given)) return given;
  const matches = await findByExternalId(client, given);
  const [store] = matches;
  if (store === undefined)
    throw new CommandFailed(
      EXIT.notFound,
      `No store has the id or external_id ${given}. See: comanda stores list`,
    );
  if (matches.length > 1)
    throw new CommandFailed(
      EXIT.usage,
      `${matches.length} stores have the external_id ${given}. Use the id instead. See: comanda stores list`,
    );
  return store.id;
}

/** More stores than any key sees: a longer list comes from a server that never ends it. */
const MOST_STORES = 100_000;

async function findByExternalId(client: Client, given: string): Promise<Store[]> {
  const matches: Store[] = [];
  let seen = 0;
  for await (const store of client.iterateStores()) {
    if (store.external_id === given) matches.push(store);
    seen += 1;
    if (seen > MOST_STORES)
      throw new CommandFailed(
        EXIT.failed,
        `There are more than ${MOST_STORES} stores. Use the store id instead.`,
      );
  }
  return matches;
}

/** Gets a store with its currency and timezone, which amounts and times are shown in. */
export async function findStore(client: Client, given: string): Promise<ManagedStore> {
  const store = await client.getManagedStore(await findStoreId(client, given));
  if (typeof (store as Partial<ManagedStore> | null)?.id === 'string') return store;
  throw new CommandFailed(
    EXIT.failed,
    'The response is not a store. Is this the address of a Comanda service?',
  );
}

/** The English name if there is one, otherwise the first. */
export function nameOf({ name }: { readonly name: object }): string {
  const { translations } = name as { translations?: Record<string, string> };
  return translations?.['en'] ?? Object.values(translations ?? {})[0] ?? '';
}
