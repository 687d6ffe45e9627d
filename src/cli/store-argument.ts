import type { Client, ManagedStore, Store } from '#sdk';
import { CommandFailed, EXIT } from './exit-codes.js';
import { isUuid } from './arguments.js';

/** A store is named by its id, or by the external_id that its merchant gave it. */
export async function findStoreId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given;
  const matches: Store[] = [];
  for await (const store of client.iterateStores()) if (store.external_id === given) matches.push(store);
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

/** With what is needed to show its amounts and times. */
export async function findStore(client: Client, given: string): Promise<ManagedStore> {
  return client.getManagedStore(await findStoreId(client, given));
}

/** A name to show: English where there is one, else the first. */
export function nameOf({ name }: Pick<Store, 'name'>): string {
  const { translations } = name as { translations?: Record<string, string> };
  return translations?.['en'] ?? Object.values(translations ?? {})[0] ?? '';
}
