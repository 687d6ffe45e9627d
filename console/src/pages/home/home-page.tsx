import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedStore, StoreEvent } from '#sdk';
import { followStore } from '../../live/follow-store.js';
import { useTitle } from '../../parts/use-title.js';
import { toHref } from '../../router.js';
import { may } from '../../session.js';
import { nameOf } from '../../stores.js';
import { LatestOrders } from './latest-orders.js';
import { OpenOrders } from './open-orders.js';
import { SoldOut } from './sold-out.js';
import { Today, type Day } from './today.js';
import { WebhookTrouble } from './webhook-trouble.js';
import './home.css';

/** Changes come in bursts; the numbers follow them at this distance, however many more there are. */
const SETTLE_MS = 3_000;
const POLL_MS = 15_000;
/** A whole day is many pages: without events it is read again at leisure. */
const DAY_POLL_MS = 60_000;

/** How the store is doing, at a glance. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage({ store }: { readonly store: ManagedStore }) {
  const ordersTurn = useSignal(0);
  const menuTurn = useSignal(0);
  const day = useSignal<Day>({ turn: 0, heard: new Map() });
  useTitle(nameOf(store), 'Comanda');
  useEffect(() => {
    const readDay = () => (day.value = { turn: day.value.turn + 1, heard: new Map() });
    const readOrders = () => (ordersTurn.value += 1);
    const readMenu = () => (menuTurn.value += 1);
    const [dayChanged, ordersChanged, menuChanged] = [
      settled(readDay),
      settled(readOrders),
      settled(readMenu),
    ];
    const hear = ({ type, data }: StoreEvent) => {
      if (type.startsWith('menu.')) return menuChanged();
      ordersChanged();
      if (type === 'orders.imported') dayChanged();
      if ('order' in data)
        day.value = { ...day.value, heard: new Map(day.value.heard).set(data.order.id, data.order) };
    };
    const following = followStore(store.id, {
      onBegin: () => [readDay, readOrders, readMenu].forEach((read) => read()),
      onEvent: hear,
    });
    const polls = [
      setInterval(() => following.isLive.value || readOrders(), POLL_MS),
      setInterval(() => following.isLive.value || readDay(), DAY_POLL_MS),
    ];
    return () => {
      polls.forEach(clearInterval);
      following.stop();
    };
  }, [store.id]);
  return (
    <>
      <header>
        <h1>
          <bdi>{nameOf(store)}</bdi>
        </h1>
        <a class="button primary" href={toHref(`/stores/${store.id}/board`)}>
          Open the board
        </a>
      </header>
      <OpenOrders store={store} turn={ordersTurn.value} />
      <div class="home-parts">
        <div class="stack">
          <Today store={store} day={day.value} />
          <LatestOrders store={store} turn={ordersTurn.value} />
        </div>
        <div class="stack">
          <SoldOut store={store} turn={menuTurn.value} />
          {may('webhooks:write') && <WebhookTrouble store={store} />}
        </div>
      </div>
    </>
  );
}

/** Reads a moment after the first of many calls, once for all of them. */
function settled(read: () => void): () => void {
  let timer: number | undefined;
  return () => {
    timer ??= window.setTimeout(() => {
      timer = undefined;
      read();
    }, SETTLE_MS);
  };
}
