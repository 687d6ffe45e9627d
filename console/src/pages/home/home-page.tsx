import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { followStore } from '../../live/follow-store.js';
import { useTitle } from '../../parts/use-title.js';
import { toHref } from '../../router.js';
import { may } from '../../session.js';
import { nameOf } from '../../stores.js';
import { LatestOrders } from './latest-orders.js';
import { OpenOrders } from './open-orders.js';
import { SoldOut } from './sold-out.js';
import { Today } from './today.js';
import { WebhookTrouble } from './webhook-trouble.js';
import './home.css';

/** Changes come in bursts; the numbers follow them at this distance, however many more there are. */
const SETTLE_MS = 3_000;
const POLL_MS = 15_000;

/** How the store is doing, at a glance. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage({ store }: { readonly store: ManagedStore }) {
  const ordersTurn = useSignal(0);
  const menuTurn = useSignal(0);
  useTitle(nameOf(store), 'Comanda');
  useEffect(() => {
    const [ordersChanged, menuChanged] = [settled(ordersTurn), settled(menuTurn)];
    const following = followStore(store.id, {
      onBegin: () => {
        ordersTurn.value += 1;
        menuTurn.value += 1;
      },
      onEvent: ({ type }) => (type.startsWith('menu.') ? menuChanged() : ordersChanged()),
    });
    const poll = setInterval(() => {
      if (!following.isLive.value) ordersTurn.value += 1;
    }, POLL_MS);
    return () => {
      clearInterval(poll);
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
          <Today store={store} turn={ordersTurn.value} />
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

/** Counts on a moment after the first of many calls, once for all of them. */
function settled(turn: Signal<number>): () => void {
  let timer: number | undefined;
  return () => {
    timer ??= window.setTimeout(() => {
      timer = undefined;
      turn.value += 1;
    }, SETTLE_MS);
  };
}
