import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { client } from '../../client.js';
import { followStore } from '../../live/follow-store.js';
import { Busy } from '../../parts/busy.js';
import { toCallNumber, toClock, toCount } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { OPEN_STATUSES, type OpenStatus } from '../../parts/order-status.js';
import { Trouble } from '../../parts/trouble.js';
import { useTitle } from '../../parts/use-title.js';
import { place, navigate, toHref } from '../../router.js';
import { may } from '../../session.js';
import { nameOf, timezoneOf } from '../../stores.js';
import { createBoardOrders } from './board-orders.js';
import { BoardTools } from './board-tools.js';
import { isSoundOn, startRinging, unlockSound } from './chime.js';
import { Column } from './column.js';
import { keepAwake } from './keep-awake.js';
import { createMoves } from './moves.js';
import './board.css';

const POLL_MS = 5_000;

/** The orders that need doing, live. */
export function BoardPage({ store }: { readonly store: ManagedStore }) {
  const board = useMemo(() => createBoardOrders(store.id), [store.id]);
  const moves = useMemo(() => createMoves(board.readAgain), [board]);
  const error = useSignal<unknown>(undefined);
  const isLive = useSignal(false);
  const quietSince = useSignal<number | undefined>(undefined);
  const seenHere = useSignal<ReadonlySet<string>>(new Set());
  const column = useSignal<OpenStatus>('PENDING');

  const attempt = async (work: Promise<void>) => {
    try {
      await work;
      error.value = undefined;
    } catch (reason) {
      if (!(reason instanceof DOMException && reason.name === 'AbortError')) error.value = reason;
    }
  };
  const reload = () => attempt(board.reload());

  useEffect(() => {
    void reload();
    const following = followStore(store.id, {
      onBegin: () => void reload(),
      onEvent: (event) => void attempt(board.takeIn(event)),
    });
    const endings = [
      following.isLive.subscribe((is) => (isLive.value = is)),
      following.quietSince.subscribe((since) => (quietSince.value = since)),
    ];
    return () => {
      for (const end of endings) end();
      following.stop();
    };
  }, [board]);

  useEffect(() => {
    // The stream goes on where it broke off; only what failed meanwhile is to be read again.
    if (isLive.value && error.value !== undefined) void reload();
    return isLive.value ? undefined : repeat(reload, POLL_MS);
  }, [isLive.value]);

  useEffect(() => {
    addEventListener('pagehide', moves.flush);
    return () => {
      removeEventListener('pagehide', moves.flush);
      moves.flush();
    };
  }, [moves]);

  useEffect(keepAwake, []);

  const unseen = useComputed(() =>
    [...(board.orders.value?.values() ?? [])].filter(
      ({ id, status, is_read: isRead }) => status === 'PENDING' && !isRead && !seenHere.value.has(id),
    ),
  );
  const isRinging = useComputed(() => unseen.value.length > 0 && isSoundOn.value).value;
  useEffect(() => (isRinging ? startRinging() : undefined), [isRinging]);

  const count = unseen.value.length;
  useTitle(`${count > 0 ? `(${count}) ` : ''}Board`, nameOf(store));

  const see = (orders: readonly ManagedOrder[]) => {
    const fresh = orders.filter(({ is_read: isRead, id }) => !isRead && !seenHere.value.has(id));
    if (fresh.length === 0) return;
    seenHere.value = new Set([...seenHere.value, ...fresh.map(({ id }) => id)]);
    if (!may('orders:write')) return;
    // Other devices stop ringing with this; should it fail, they ring on, and no order is lost.
    for (const { id } of fresh)
      client
        .changeOrder(id, { is_read: true })
        .then(() => board.readAgain(id))
        .catch(() => undefined);
  };

  const isKitchen = place.value.query.has('kitchen');
  const orders = board.orders.value;
  return (
    // The first tap anywhere lets the browser play sounds again after the page was loaded anew.
    <div class={isKitchen ? 'board large' : 'board'} onPointerDown={() => void unlockSound()}>
      <header class="spread">
        <div class="row">
          <h1>{isKitchen ? nameOf(store) : 'Board'}</h1>
          {isLive.value && orders !== undefined && <span class="live">Live</span>}
        </div>
        <BoardTools isKitchen={isKitchen} onKitchen={(isOn) => switchKitchen(isOn)} />
      </header>
      {quietSince.value !== undefined && (
        <p class="notice" role="status">
          <Icon name="warning" />
          <span>
            Not live since {toClock(quietSince.value, timezoneOf(store))}. Looking for changes every{' '}
            {POLL_MS / 1000} seconds until the connection is back.
          </span>
        </p>
      )}
      {error.value !== undefined && <Trouble error={error.value} retry={() => void reload()} />}
      {count > 0 && (
        <div class="notice calm new-orders">
          <Icon name="sound" />
          <div>
            <strong>{toCount(count, 'new order')}</strong>
          </div>
          <button type="button" class="button" onClick={() => see(unseen.value)}>
            {isRinging ? 'Silence' : 'Seen'}
          </button>
        </div>
      )}
      <p class="hidden-label" role="status" aria-live="polite">
        {count > 0 &&
          `New: ${unseen.value
            .slice(0, 5)
            .map((order) => `${toCallNumber(order)} for ${order.customer.name.slice(0, 60)}`)
            .join(', ')}`}
      </p>
      {orders === undefined ? (
        error.value === undefined && <Busy>Reading the orders</Busy>
      ) : (
        <div class="columns" data-shown={column.value}>
          <ColumnTabs orders={orders} shown={column.value} onShow={(status) => (column.value = status)} />
          {OPEN_STATUSES.map((status) => (
            <Column
              key={status}
              status={status}
              store={store}
              orders={[...orders.values()].filter((order) => order.status === status)}
              moves={moves}
              unseen={unseen.value}
              onTouch={(order) => see([order])}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** Again and again, each time so long after the last has ended; returns what ends it. */
function repeat(work: () => Promise<void>, pauseMs: number): () => void {
  let timer: number | undefined;
  let isOver = false;
  const wait = () => {
    if (!isOver) timer = window.setTimeout(() => void work().then(wait), pauseMs);
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function switchKitchen(isOn: boolean): void {
  navigate(toHref(place.value.path, { kitchen: isOn ? 'on' : undefined }));
  if (isOn) document.documentElement.requestFullscreen().catch(() => undefined);
  else if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
}

const TAB_WORDS: Readonly<Record<OpenStatus, string>> = {
  PENDING: 'New',
  ACCEPTED: 'Kitchen',
  READY: 'Ready',
};

interface ColumnTabsProps {
  readonly orders: ReadonlyMap<string, ManagedOrder>;
  readonly shown: OpenStatus;
  readonly onShow: (status: OpenStatus) => void;
}

/** On a narrow screen the columns are shown one at a time. */
function ColumnTabs({ orders, shown, onShow }: ColumnTabsProps) {
  return (
    <div class="column-tabs" role="group" aria-label="Column">
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
