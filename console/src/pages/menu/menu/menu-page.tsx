import { useSignal } from '@preact/signals';
import type { ItemMark, ManagedStore, MenuItemFlat } from '#sdk';
import { client, may } from '../../../data/session.js';
import { findTag, toText } from '../../../text/format.js';
import { language as spoken, t } from '../../../text/t.js';
import { useEvents, type LiveStore } from '../../../data/live/live-store.js';
import { Button } from '../../../ui/button.js';
import { Busy, Trouble, useLoad } from '../../../ui/loading.js';
import { Empty } from '../../../ui/table.js';
import { Icon } from '../../../ui/icon.js';
import { directionOf } from '../../../text/languages.js';
import { say, sayError } from '../../../ui/toasts.js';
import { useTitle } from '../../../ui/use-title.js';
import { place, toHref } from '../../../app/router.js';
import { listStations } from '../../../data/stations.js';
import { nameOf, stores, timezoneOf } from '../../../data/stores.js';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { DownloadSheet } from '../publish/download-menu.js';
import { ItemDialog } from './item-dialog.js';
import { MenuControls } from './menu-controls.js';
import { MenuList } from './menu-list.js';
import { toMenuView, type MenuView } from './menu-view.js';
import { MatchDialog } from '../photos/match-dialog.js';
import { CropPhoto, PickButton } from '../photos/photo-field.js';
import { picturesIn, readPhotos, type Photos } from '../photos/save-photo.js';
import { SelectionBar } from './selection-bar.js';
import { describeMark, markStock, type StockTarget, type TargetMark } from './stock.js';
import './menu.css';

/** The menu as a guest sees it, now or at another time, and what is sold out of it. */
export function MenuPage({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const { query } = place.value;
  const wall = query.get('at') ?? undefined;
  const at = wall === undefined ? undefined : toMoment(wall, timezoneOf(store));
  const { value, error, reload } = useLoad(
    async (signal) => {
      const [flat, availability, photos] = await Promise.all([
        client.getMenuConfigurationFlat(store.id, { signal }),
        client.getAvailableMenu(store.id, { at }, { signal }),
        readPhotos(store.id, signal),
      ]);
      return { ...toMenuView(flat, availability), photos };
    },
    [store.id, at],
  );
  const opened = useSignal<string | undefined>(undefined);
  const selected = useSignal<ReadonlySet<string> | undefined>(undefined);
  const search = useSignal('');
  const isMarking = useSignal(false);
  const pictures = useSignal<{ readonly files: readonly File[]; readonly id?: string } | undefined>(
    undefined,
  );

  useTitle(t('menu'), nameOf(store));
  useEvents(live, reload, (_, type) => {
    // Orders count portions down, and give them back, without an event of the menu.
    const isCounted = (value.peek()?.left.size ?? 0) > 0;
    return type.startsWith('menu.') || (isCounted && type.startsWith('order.'));
  });

  const mark = async (wanted: readonly TargetMark[], done: string) => {
    isMarking.value = true;
    try {
      const reverse = await markStock(store.id, wanted);
      const count = wanted.length;
      const [only] = wanted;
      const words =
        count === 1 && only !== undefined
          ? t('name_done', { name: nameOfTarget(only), done })
          : t('count_items_done', { count, done });
      say(words, {
        label: t('undo'),
        run: () => void mark(reverse, t('as_it_was_before')),
      });
    } catch (reason) {
      sayError(reason);
    }
    isMarking.value = false;
    reload();
  };
  const markAlike = (targets: readonly StockTarget[], wanted: ItemMark) =>
    mark(
      targets.map((target) => ({ ...target, mark: wanted })),
      describeMark(wanted),
    );

  const view = value.value;
  // Buttons stand where they will be before the menu is read, so that none moves under a finger.
  const mayHaveDishes = view === undefined || view.items.size > 0;
  /** Pictures for an item, or for those that they are named after. */
  const takePictures = (files: readonly File[], id?: string) => {
    if (files.length === 0 || !may('menu:write') || opened.value !== undefined) return;
    pictures.value = files.length === 1 && id !== undefined ? { files, id } : { files };
  };
  const nameOfTarget = ({ kind, externalId }: StockTarget) => {
    const found = kind === 'item' ? view?.items.get(externalId) : view?.options.get(externalId);
    return toText(found?.name, language) || externalId;
  };
  const tags = view?.languages ?? [];
  const language = query.get('lang') ?? findTag(tags, spoken()) ?? tags[0] ?? 'en';
  const item: MenuItemFlat | undefined =
    opened.value === undefined ? undefined : view?.items.get(opened.value);
  return (
    <>
      <header class="menu-head">
        <h1>{t('menu')}</h1>
        {may('menu:write') && (
          <a class="button" href={toHref(`/stores/${store.id}/menu/edit`)}>
            <Icon name="edit" />
            {t('edit_the_menu')}
          </a>
        )}
        {mayHaveDishes && may('stock:write') && (
          <Button
            disabled={view === undefined}
            aria-pressed={selected.value !== undefined}
            onClick={() => (selected.value = selected.value === undefined ? new Set() : undefined)}
          >
            {selected.value === undefined ? t('select_several') : t('done_selecting')}
          </Button>
        )}
        {may('menu:write') && stores.value?.length !== 1 && (
          <a class="button" href={toHref(`/stores/${store.id}/menu/send`)}>
            <Icon name="stores" />
            {t('send_to_other_stores')}
          </a>
        )}
        {mayHaveDishes && <DownloadSheet store={store} />}
        {mayHaveDishes && may('menu:write') && (
          <PickButton
            label={t('add_photos')}
            isMany
            isDisabled={view === undefined}
            onFiles={(files) => (pictures.value = { files })}
          />
        )}
      </header>
      <Trouble error={error.value} retry={reload} />
      {view === undefined ? (
        error.value === undefined && <Busy>{t('reading_the_menu')}</Busy>
      ) : view.items.size === 0 ? (
        <NoMenu store={store} />
      ) : (
        <>
          <MenuControls store={store} view={view} language={language} wall={wall} search={search} />
          <div
            class="menu"
            dir={directionOf(language)}
            lang={language}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              takePictures(picturesIn(event.dataTransfer));
            }}
          >
            <MenuList
              view={view}
              store={store}
              language={language}
              search={search.value}
              selected={selected.value}
              onOpen={(id) => (opened.value = id)}
              onPictures={takePictures}
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
          photos={view.photos}
          onPhoto={reload}
          onMark={(target, wanted) => void markAlike([target], wanted)}
          onClose={() => (opened.value = undefined)}
        />
      )}
      {view !== undefined && pictures.value !== undefined && (
        <TakenPictures
          {...pictures.value}
          storeId={store.id}
          view={view}
          language={language}
          onDone={reload}
          onClose={() => (pictures.value = undefined)}
        />
      )}
      {selected.value !== undefined && (
        <SelectionBar
          count={selected.value.size}
          isBusy={isMarking.value}
          timezone={timezoneOf(store)}
          stations={view === undefined ? [] : listStations(view.stations)}
          onMark={(wanted) => {
            const targets = [...(selected.value ?? [])].map(
              (externalId) => ({ kind: 'item', externalId }) as const,
            );
            void markAlike(targets, wanted).then(() => (selected.value = undefined));
          }}
        />
      )}
    </>
  );
}

interface TakenPicturesProps {
  readonly files: readonly File[];
  readonly id?: string;
  readonly storeId: string;
  readonly view: MenuView & { readonly photos: Photos };
  readonly language: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** One picture for one item is cut to shape; of several it is shown which item each is for. */
function TakenPictures({ files, id, view, ...props }: TakenPicturesProps) {
  const [file] = files;
  if (id === undefined || file === undefined)
    return <MatchDialog {...props} files={files} items={view.items} photos={view.photos} />;
  const name = toText(view.items.get(id)?.name, props.language) || id;
  return <CropPhoto {...props} file={file} externalId={id} name={name} photos={view.photos} />;
}

function NoMenu({ store }: { readonly store: ManagedStore }) {
  return (
    <Empty icon="menu" title={t('no_menu_yet')}>
      <p>{t('publish_one_from_a_json_or')}</p>
      {may('menu:write') && (
        <a class="button primary" href={toHref(`/stores/${store.id}/publish`)}>
          {t('publish_a_menu')}
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
