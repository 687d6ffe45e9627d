import { useSignal } from '@preact/signals';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import type { LiveStore } from '../../../data/live/live-store.js';
import { listStations, stationOf, useStations } from '../../../data/stations.js';

type Item = ManagedOrder['items'][number];

/** Which station of the kitchen a board is for. */
export interface BoardStation {
  /** Whether they are read, or cannot be. */
  readonly isKnown: boolean;
  readonly all: readonly string[];
  /** Undefined for all of them. */
  readonly chosen: string | undefined;
  readonly choose: (station: string | undefined) => void;
  readonly of: (item: Item) => string | undefined;
}

const REMEMBERED = 'comanda-station';

/** The choice stays with the device: the screen at the grill is always that of the grill. */
export function useBoardStation(store: ManagedStore, live: LiveStore): BoardStation {
  const stations = useStations(store, live);
  const chosen = useSignal(localStorage.getItem(REMEMBERED) ?? undefined);
  const all = listStations(stations);
  return {
    isKnown: stations !== undefined,
    all,
    // A station that the menu no longer has must not hide its orders.
    chosen: all.find((one) => one === chosen.value),
    choose: (station) => {
      chosen.value = station;
      if (station === undefined) localStorage.removeItem(REMEMBERED);
      else localStorage.setItem(REMEMBERED, station);
    },
    of: (item) => stationOf(stations, item),
  };
}

export function linesAt({ chosen, of }: BoardStation, { items }: ManagedOrder): Item[] {
  return chosen === undefined ? items : items.filter((item) => of(item) === chosen);
}

export function ordersAt(
  station: BoardStation,
  orders: ReadonlyMap<string, ManagedOrder> | undefined,
): ReadonlyMap<string, ManagedOrder> | undefined {
  if (orders === undefined || station.chosen === undefined) return orders;
  return new Map([...orders].filter(([, order]) => linesAt(station, order).length > 0));
}

export function StationTabs({ station: { all, chosen, choose } }: { readonly station: BoardStation }) {
  if (all.length === 0) return null;
  return (
    <div class="station-tabs" role="group" aria-label={t('station')}>
      {[undefined, ...all].map((one) => (
        <button
          key={one ?? ''}
          type="button"
          class="tab"
          aria-pressed={one === chosen}
          onClick={() => choose(one)}
        >
          <bdi>{one ?? t('all_stations')}</bdi>
        </button>
      ))}
    </div>
  );
}
