import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { followStore } from '../../live/follow-store.js';
import { useTitle } from '../../parts/use-title.js';
import { toHref } from '../../router.js';
import { nameOf } from '../../stores.js';
import { LatestOrders } from './latest-orders.js';
import { OpenOrders } from './open-orders.js';
import { SoldOut } from './sold-out.js';
import { Today } from './today.js';
import './home.css';

/** How the store is doing, at a glance. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage({ store }: { readonly store: ManagedStore }) {
  const turn = useSignal(0);
  useTitle(nameOf(store), 'Comanda');
  useEffect(() => followStore(() => (turn.value += 1)).stop, [store.id]);
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
      <OpenOrders store={store} turn={turn.value} />
      <div class="home-parts">
        <div class="stack">
          <Today store={store} turn={turn.value} />
          <LatestOrders store={store} turn={turn.value} />
        </div>
        <SoldOut store={store} turn={turn.value} />
      </div>
    </>
  );
}
