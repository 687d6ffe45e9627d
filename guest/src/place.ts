import { batch, computed, signal } from '@preact/signals';
import { readMenu, readPlace, Refused, type Category, type Item, type Menu, type Place } from './api.js';
import type { Signs } from '../../src/support/minor-units.js';
import { offerLanguages, toMoney, toTime } from './language.js';

/** The place whose code was scanned: its store, its menu, and whether orders are taken; read again and again. */

const POLL_MS = 15_000;

export const code = decodeURIComponent(location.pathname.split('/')[2] ?? '');
export const place = signal<Place | undefined>(undefined);
const menu = signal<Menu | undefined>(undefined);
/** When the guest wants the order; undefined is as soon as possible. The menu is the one of that time. */
export const readyBy = signal<string | undefined>(undefined);
export const connection = signal<'fine' | 'not_found' | 'lost'>('fine');
let etag: string | undefined;

export const isOpen = computed(() => {
  const state = place.value?.intake.state;
  return connection.value !== 'not_found' && (state === 'open' || state === 'busy');
});

export const isLoaded = computed(() => menu.value !== undefined && place.value !== undefined);

/** The categories of every menu that is served now; one that stands on two of them comes once. */
export const sections = computed((): readonly Category[] => {
  const categories = (menu.value?.menu_configuration ?? []).flatMap((one) => one.categories);
  return distinct(categories).flatMap((category) => {
    const items = distinct(category.items).filter((item) => item.sell_separately);
    return items.length === 0 ? [] : { ...category, items };
  });
});

const items = computed(() => {
  const { menu_configuration: menus = [], components = [] } = menu.value ?? {};
  const served = menus.flatMap((one) => one.categories).flatMap((one) => one.items);
  return new Map([...components, ...served].map((item) => [item.external_id, withoutRepeats(item)]));
});

export function findItem(externalId: string): Item | undefined {
  return items.value.get(externalId);
}

/** A menu may name the same group twice for an item, or the same choice twice in a group. */
function withoutRepeats(item: Item): Item {
  const groups = distinct(item.modifier_groups).map((group) => ({
    ...group,
    modifier_items: distinct(group.modifier_items),
  }));
  return { ...item, modifier_groups: groups };
}

function distinct<T extends { readonly external_id: string }>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [one.external_id, one])).values()];
}

let refreshing: Promise<void> | undefined;

/** Chooses the time, and shows what is served then. */
export async function pickTime(at: string | undefined): Promise<void> {
  readyBy.value = at;
  await refreshing;
  await refresh();
}

/** Reads what may have changed; once for all who ask at the same time. */
export function refresh(): Promise<void> {
  refreshing ??= readAll().finally(() => (refreshing = undefined));
  return refreshing;
}

async function readAll(): Promise<void> {
  try {
    const wanted = readyBy.value;
    const [newPlace, newMenu] = await Promise.all([readPlace(code), readMenu(code, etag, wanted)]);
    batch(() => {
      offerLanguages(newPlace.languages);
      place.value = newPlace;
      connection.value = 'fine';
      // The guest may have chosen another time meanwhile.
      if (newMenu === undefined || wanted !== readyBy.value) return;
      menu.value = newMenu.menu;
      etag = newMenu.etag;
    });
  } catch (error) {
    const status = error instanceof Refused ? error.status : undefined;
    // Where many ask at once, some are asked to come back: the next look is soon enough.
    if (status !== 429 || !isLoaded.value) connection.value = status === 404 ? 'not_found' : 'lost';
  }
}

/** Keeps the page up to date while someone looks at it. */
export function startPolling(): void {
  const look = () => {
    if (document.visibilityState === 'visible') void refresh();
  };
  void refresh();
  setInterval(look, POLL_MS);
  for (const event of ['focus', 'online']) addEventListener(event, look);
  document.addEventListener('visibilitychange', look);
}

/** With tax, in the store's currency. */
export function money(amount: number, signs?: Signs): string {
  return toMoney(amount, place.value?.store.currency, signs);
}

export function time(moment: string | number): string {
  return toTime(moment, place.value?.store.timezone ?? 'UTC');
}
