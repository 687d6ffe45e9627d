import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedStore, MenuItemFlat } from '#sdk';
import { client } from '../../client.js';
import { followStore } from '../../live/follow-store.js';
import { Busy } from '../../parts/busy.js';
import { Empty } from '../../parts/empty.js';
import { toCount } from '../../parts/format.js';
import { say, sayError } from '../../parts/toasts.js';
import { Trouble } from '../../parts/trouble.js';
import { useLoad } from '../../parts/use-load.js';
import { fromWall } from '../../parts/wall-clock.js';
import { useTitle } from '../../parts/use-title.js';
import { place, toHref } from '../../router.js';
import { may } from '../../session.js';
import { nameOf, timezoneOf } from '../../stores.js';
import { ItemDialog } from './item-dialog.js';
import { MenuControls } from './menu-controls.js';
import { MenuList } from './menu-list.js';
import { directionOf, toMenuView } from './menu-view.js';
import { SelectionBar } from './selection-bar.js';
import { markStock, type StockTarget } from './stock.js';
import './menu.css';

/** The menu as a guest sees it, now or at another time, and what is sold out of it. */
export function MenuPage({ store }: { readonly store: ManagedStore }) {
  const { query } = place.value;
  const wall = query.get('at') ?? undefined;
  const at = wall === undefined ? undefined : toMoment(wall, timezoneOf(store));
  const { value, error, reload } = useLoad(
    async (signal) => {
      const [flat, availability] = await Promise.all([
        client.getMenuConfigurationFlat(store.id, { signal }),
        client.getAvailableMenu(store.id, { at }, { signal }),
      ]);
      return toMenuView(flat, availability);
    },
    [store.id, at],
  );
  const opened = useSignal<string | undefined>(undefined);
  const selected = useSignal<ReadonlySet<string> | undefined>(undefined);
  const search = useSignal('');
  const progress = useSignal<string | undefined>(undefined);

  useTitle('Menu', nameOf(store));
  useEffect(() => {
    const following = followStore(store.id, {
      onBegin: reload,
      onEvent: ({ type }) => {
        if (type.startsWith('menu.')) reload();
      },
    });
    return following.stop;
  }, [store, reload]);

  const mark = async (targets: readonly StockTarget[], isInStock: boolean) => {
    try {
      await markStock(store.id, targets, isInStock, (done) => {
        progress.value = targets.length > 1 ? `${done} of ${targets.length}` : undefined;
      });
      const what = targets.length === 1 ? '' : `${toCount(targets.length, 'item')}: `;
      say(`${what}${isInStock ? 'Back in stock' : 'Sold out'}`, {
        label: 'Undo',
        run: () => void mark(targets, !isInStock),
      });
    } catch (reason) {
      sayError(reason);
    }
    progress.value = undefined;
    reload();
  };

  const view = value.value;
  const language = query.get('lang') ?? view?.languages[0] ?? 'en';
  const item: MenuItemFlat | undefined =
    opened.value === undefined ? undefined : view?.items.get(opened.value);
  return (
    <>
      <header>
        <h1>Menu</h1>
        {view !== undefined && may('stock:write') && view.items.size > 0 && (
          <button
            type="button"
            class="button"
            aria-pressed={selected.value !== undefined}
            onClick={() => (selected.value = selected.value === undefined ? new Set() : undefined)}
          >
            {selected.value === undefined ? 'Select several' : 'Done selecting'}
          </button>
        )}
      </header>
      {error.value !== undefined && <Trouble error={error.value} retry={reload} />}
      {view === undefined ? (
        error.value === undefined && <Busy>Reading the menu</Busy>
      ) : view.items.size === 0 ? (
        <NoMenu store={store} />
      ) : (
        <>
          <MenuControls store={store} view={view} language={language} wall={wall} search={search} />
          <div class="menu" dir={directionOf(language)} lang={language}>
            <MenuList
              view={view}
              store={store}
              language={language}
              search={search.value}
              selected={selected.value}
              onOpen={(id) => (opened.value = id)}
              onSelect={(id) => (selected.value = toggled(selected.value ?? new Set(), id))}
            />
          </div>
        </>
      )}
      {view !== undefined && item !== undefined && (
        <ItemDialog
          item={item}
          view={view}
          store={store}
          language={language}
          onMark={(target, isInStock) => void mark([target], isInStock)}
          onClose={() => (opened.value = undefined)}
        />
      )}
      {selected.value !== undefined && (
        <SelectionBar
          count={selected.value.size}
          progress={progress.value}
          onMark={(isInStock) => {
            const targets = [...(selected.value ?? [])].map(
              (externalId) => ({ kind: 'item', externalId }) as const,
            );
            void mark(targets, isInStock).then(() => (selected.value = undefined));
          }}
        />
      )}
    </>
  );
}

function NoMenu({ store }: { readonly store: ManagedStore }) {
  return (
    <Empty icon="menu" title="No menu yet">
      <p>Publish one from a JSON or YAML file; it is checked first, and nothing changes before you say so.</p>
      {may('menu:write') && (
        <a class="button primary" href={toHref(`/stores/${store.id}/publish`)}>
          Publish a menu
        </a>
      )}
    </Empty>
  );
}

function toMoment(wall: string, timezone: string): string | undefined {
  const moment = fromWall(wall, timezone);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
