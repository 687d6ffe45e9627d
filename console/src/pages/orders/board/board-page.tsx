import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedOrder, ManagedStore } from '#sdk';
import type { LiveIntake } from '../../../app/intake/intake.js';
import { IntakeState } from '../../../app/intake/intake-state.js';
import { PrinterTrouble } from '../../../app/printer-trouble.js';
import { t } from '../../../text/t.js';
import { Live } from '../../../data/live/connection.js';
import type { LiveStore } from '../../../data/live/live-store.js';
import { useMoves } from '../actions/moves.js';
import { toCallNumber, toList } from '../../../text/format.js';
import { OPEN_STATUSES, type OpenStatus } from '../../../ui/order-status.js';
import { sayError } from '../../../ui/toasts.js';
import { Busy, Trouble } from '../../../ui/loading.js';
import { useShown } from '../../../ui/use-shown.js';
import { useTitle } from '../../../ui/use-title.js';
import { place, navigate, toHref } from '../../../app/router.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';
import { Column } from './column.js';
import { NewOrder } from '../new/new-order.js';
import { keepAwake } from './keep-awake.js';
import { ordersAt, StationTabs, useBoardStation } from './station.js';
import { Button } from '../../../ui/button.js';
import { isSoundBlocked, isSoundOn, switchSound } from '../../../data/live/chime.js';
import './board.css';

interface BoardPageProps {
  readonly store: ManagedStore;
  readonly live: LiveStore;
  readonly intake: LiveIntake;
}

/** The orders that need doing, live. */
export function BoardPage({ store, live, intake }: BoardPageProps) {
  const moves = useMoves(live.readAgain, [live]);
  const column = useSignal<OpenStatus>('PENDING');
  useEffect(keepAwake, []);
  useTitle(t('board'), nameOf(store));
  const error = live.error.value;
  const unseen = live.unseen.value;
  const isKitchen = place.value.query.has('kitchen');
  const station = useBoardStation(store, live);
  // The tabs of the stations stand above the orders, and choose among them.
  const isShown = useShown(station.isKnown);
  const here = ordersAt(station, live.orders.value);
  const laterIds = new Set(live.later.value.map(({ id }) => id));
  const later = [...(here?.values() ?? [])].filter(({ id }) => laterIds.has(id));
  const orders = here && new Map([...here].filter(([id]) => !laterIds.has(id)));
  const shared = {
    store,
    moves,
    station,
    unseen,
    reasons: live.reasons.value,
    onTouch: (order: ManagedOrder) => live.see([order]),
    onChanged: ({ id }: ManagedOrder) => void live.readAgain(id).catch(sayError),
  };
  const isAway = live.away.value !== undefined;
  return (
    <div class={['board', ...(isKitchen ? ['large'] : []), ...(isAway ? ['away'] : [])].join(' ')}>
      <header class="spread">
        <div class="row">
          <h1>{isKitchen ? nameOf(store) : t('board')}</h1>
          <Live live={live} />
          {!isKitchen && <NewOrder store={store} />}
          <IntakeState {...intake} timezone={timezoneOf(store)} />
        </div>
        <BoardTools isKitchen={isKitchen} onKitchen={(isOn) => switchKitchen(isOn)} />
      </header>
      <PrinterTrouble store={store} live={live} />
      <StationTabs station={station} />
      <Trouble error={error} retry={() => void live.reload()} />
      <p class="hidden-label" role="status" aria-live="polite">
        {unseen.length > 0 &&
          t('new_or_in_need_of_someone_orders', {
            orders: toList(unseen.slice(0, 5).map(describe)),
          })}
      </p>
      {!isShown && <Busy />}
      {isShown && orders !== undefined && (
        <div class="columns" data-shown={column.value} inert={isAway}>
          <ColumnTabs orders={orders} shown={column.value} onShow={(status) => (column.value = status)} />
          {OPEN_STATUSES.map((status) => (
            <Column
              key={status}
              status={status}
              orders={[...orders.values()].filter((order) => order.status === status)}
              {...shared}
            />
          ))}
        </div>
      )}
      {isShown && later.length > 0 && (
        <div inert={isAway}>
          <Column status="later" orders={later} {...shared} />
        </div>
      )}
    </div>
  );
}

function describe(order: ManagedOrder): string {
  return t('number_for_name', { number: toCallNumber(order), name: order.customer.name.slice(0, 60) });
}

function switchKitchen(isOn: boolean): void {
  navigate(toHref(place.value.path, { kitchen: isOn ? 'on' : undefined }));
  if (isOn) document.documentElement.requestFullscreen().catch(() => undefined);
  else if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
}

const TAB_WORDS: Readonly<Record<OpenStatus, string>> = {
  PENDING: t('new_order'),
  ACCEPTED: t('kitchen'),
  READY: t('ready'),
};

interface ColumnTabsProps {
  readonly orders: ReadonlyMap<string, ManagedOrder>;
  readonly shown: OpenStatus;
  readonly onShow: (status: OpenStatus) => void;
}

/** On a narrow screen the columns are shown one at a time. */
function ColumnTabs({ orders, shown, onShow }: ColumnTabsProps) {
  return (
    <div class="column-tabs" role="group" aria-label={t('column')}>
      {OPEN_STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          class="tab"
          aria-pressed={status === shown}
          onClick={() => onShow(status)}
        >
          {TAB_WORDS[status]}
          <span class="count">{[...orders.values()].filter((order) => order.status === status).length}</span>
        </button>
      ))}
    </div>
  );
}

interface BoardToolsProps {
  readonly isKitchen: boolean;
  readonly onKitchen: (isOn: boolean) => void;
}

/** What is set for this device: the sound and the size. */
function BoardTools({ isKitchen, onKitchen }: BoardToolsProps) {
  const isOn = isSoundOn.value;
  const isWaiting = isOn && isSoundBlocked.value;
  return (
    <div class="board-tools">
      <Button
        icon={isOn ? 'sound' : 'mute'}
        aria-pressed={isOn}
        onClick={() => void switchSound(isWaiting ? true : !isOn)}
      >
        {isWaiting ? t('tap_for_sound') : isOn ? t('sound_on') : t('sound_off')}
      </Button>
      <Button
        icon={isKitchen ? 'shrink' : 'expand'}
        aria-label={isKitchen ? t('leave_kitchen_mode') : t('kitchen_mode')}
        onClick={() => onKitchen(!isKitchen)}
      >
        {isKitchen ? t('leave') : t('kitchen_mode')}
      </Button>
    </div>
  );
}
