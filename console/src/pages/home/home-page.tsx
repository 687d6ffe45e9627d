import { useSignal } from '@preact/signals';
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

/** Changes come in bursts; the numbers follow them at this distance. */
const SETTLE_MS = 1_500;
const POLL_MS = 15_000;

/** How the store is doing, at a glance. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage({ store }: { readonly store: ManagedStore }) {
  const ordersTurn = useSignal(0);
  const menuTurn = useSignal(0);
  useTitle(nameOf(store), 'Comanda');
  useEffect(() => {
    let timer: number | undefined;
    const settle = (turn: typeof ordersTurn) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => (turn.value += 1), SETTLE_MS);
    };
    const following = followStore(store.id, {
      onBegin: () => {
        ordersTurn.value += 1;
        menuTurn.value += 1;
      },
      onEvent: ({ type }) => settle(type.startsWith('menu.') ? menuTurn : ordersTurn),
    });
    const poll = setInterval(() => {
      if (!following.isLive.value) ordersTurn.value += 1;
    }, POLL_MS);
    return () => {
      clearInterval(poll);
      clearTimeout(timer);
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
