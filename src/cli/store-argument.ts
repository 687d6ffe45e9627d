import type { Client, ManagedStore, Store } from '#sdk';
import { isResourceId } from '../domain/uuid.js';
import { CommandFailed, EXIT } from './exit-codes.js';

/** A store is named by its id, or by the external_id that its merchant gave it. */
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
      `${matches.length} stores have the external_id ${given}: use the id. See: comanda stores list`,
    );
  return store.id;
}

/** More than any key sees; a list that goes on after them has no end. */
const MOST_STORES = 100_000;

async function findByExternalId(client: Client, given: string): Promise<Store[]> {
  const matches: Store[] = [];
  let seen = 0;
  for await (const store of client.iterateStores()) {
    if (store.external_id === given) matches.push(store);
    seen += 1;
    if (seen > MOST_STORES)
      throw new CommandFailed(EXIT.failed, `There are more than ${MOST_STORES} stores: name it by its id.`);
  }
  return matches;
}

/** With what is needed to show its amounts and times. */
export async function findStore(client: Client, given: string): Promise<ManagedStore> {
  const store = await client.getManagedStore(await findStoreId(client, given));
  if (typeof (store as Partial<ManagedStore> | null)?.id === 'string') return store;
  throw new CommandFailed(EXIT.failed, 'The answer is not a store. Is this the address of a Comanda?');
}

/** A name to show: English where there is one, else the first. */
export function nameOf({ name }: { readonly name: object }): string {
  const { translations } = name as { translations?: Record<string, string> };
  return translations?.['en'] ?? Object.values(translations ?? {})[0] ?? '';
}
