import { computed, signal } from '@preact/signals';
import type { ManagedStore, MultilingualText, Store } from '#sdk';
import { client } from './session.js';
import { toText } from '../text/format.js';

const A_PAGE = 1_000;
const LAST_STORE = 'comanda-store';

/** The stores that the key may see, for the picker. */
export const stores = signal<readonly Store[] | undefined>(undefined);
export const storesError = signal<unknown>(undefined);

const details = signal<ReadonlyMap<string, ManagedStore>>(new Map());

export async function loadStores(): Promise<void> {
  try {
    // The first thousand are shown while the others come.
    const all: Store[] = [];
    for (let page: Store[] = []; page.length === A_PAGE || all.length === 0; all.push(...page)) {
      page = await client.listStores({ skip: all.length, limit: A_PAGE });
      stores.value = [...all, ...page];
      if (page.length === 0) break;
    }
    storesError.value = undefined;
  } catch (error) {
    storesError.value = error;
  }
}

export function forgetStores(): void {
  stores.value = undefined;
  details.value = new Map();
}

/** Reads a store as the manage side shows it. Every page then sees it. */
export async function readStore(id: string, signal: AbortSignal): Promise<void> {
  keepStore(await client.getManagedStore(id, { signal }));
}

/** A store as it was last read; undefined until then. */
export function knownStore(id: string): ManagedStore | undefined {
  return details.value.get(id);
}

export function keepStore(store: ManagedStore): void {
  // Most reads bring nothing new, and then nothing is redrawn.
  if (JSON.stringify(store) !== JSON.stringify(knownStore(store.id)))
    details.value = new Map(details.value).set(store.id, store);
  localStorage.setItem(LAST_STORE, store.id);
}

/** The store that was looked at last on this device, if the key still sees it; else the first. */
export const usualStore = computed(() => {
  const last = localStorage.getItem(LAST_STORE);
  return stores.value?.find(({ id }) => id === last) ?? stores.value?.[0];
});

/** What a store is called, by language. */
export function namesOf(store: Pick<Store, 'name'> | undefined): Readonly<Record<string, string>> {
  return (store?.name as Partial<MultilingualText> | undefined)?.translations ?? {};
}

export function firstLanguageOf(store: Pick<Store, 'name'> | undefined): string | undefined {
  return Object.keys(namesOf(store))[0];
}

export function nameOf(store: Pick<Store, 'id' | 'name' | 'external_id'>): string {
  return toText({ translations: namesOf(store) }) || (store.external_id ?? store.id);
}

/** A store of the picker's; undefined where the key does not see it, or it is not listed. */
export function findStore(id: string): Store | undefined {
  return stores.value?.find((store) => store.id === id);
}

export function nameOfStore(id: string): string {
  const store = findStore(id);
  return store === undefined ? id : nameOf(store);
}

export function timezoneOf(store: Pick<Store, 'timezone'>): string {
  return store.timezone ?? 'UTC';
}
