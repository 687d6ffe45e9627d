import type { ManagedStore, MenuTree } from '#sdk';
import { client } from './session.js';
import { useEvents, type LiveStore } from './live/live-store.js';
import { useLoad } from '../ui/loading.js';

/** Where items are prepared (`prep_type`), by their external_id. */
export type Stations = ReadonlyMap<string, string>;

const NONE: Stations = new Map();

/** Where the items of the current menu are prepared; only the tree of the menu says so. Undefined until it is read. */
export function useStations(store: ManagedStore, live: LiveStore): Stations | undefined {
  const { value, error, reload } = useLoad(
    async (signal) =>
      stationsOf((await client.getMenuConfiguration(store.id, { signal })).menu_configuration),
    [store.id],
  );
  useEvents(live, reload, (_, type) => type.startsWith('menu.'));
  return value.value ?? (error.value === undefined ? undefined : NONE);
}

export function stationsOf(menus: readonly MenuTree[]): Stations {
  const found = new Map<string, string>();
  for (const { categories } of menus)
    for (const { items } of categories)
      for (const { external_id: id, prep_type: station } of items)
        if (station !== undefined) found.set(id, station);
  return found;
}

/** Each once, as people look for them. */
export function listStations(stations: Stations = NONE): string[] {
  return [...new Set(stations.values())].sort((one, other) => one.localeCompare(other));
}

export function stationOf(
  stations: Stations | undefined,
  item: Readonly<Record<string, unknown>>,
): string | undefined {
  const { external_id: id } = item;
  return typeof id === 'string' ? stations?.get(id) : undefined;
}
