import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedStore, StoreEvent } from '#sdk';
import type { LiveIntake } from '../../app/intake/intake.js';
import { t } from '../../text/t.js';
import { isAnswered, type LiveStore } from '../../data/live/live-store.js';
import { Busy } from '../../ui/spinner.js';
import { useTitle } from '../../ui/use-title.js';
import { toHref } from '../../app/router.js';
import { may } from '../../data/session.js';
import { nameOf, timezoneOf } from '../../data/stores.js';
import { PrinterTrouble } from '../../app/printer-trouble.js';
import { LatestOrders } from './latest-orders.js';
import { NeedsAttention } from './needs-attention.js';
import { OpenOrders } from './open-orders.js';
import { Slots } from './slots.js';
import { SoldOut } from './sold-out.js';
import { Today } from './today.js';
import { WebhookTrouble } from './webhook-trouble.js';
import './home.css';

/** Changes come in bursts; the numbers follow them at this distance, however many more there are. */
const SETTLE_MS = 3_000;
const POLL_MS = 15_000;

interface HomePageProps {
  readonly store: ManagedStore;
  readonly live: LiveStore;
  readonly intake: LiveIntake;
}

/** How the store is doing, at a glance. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage({ store, live, intake: { intake } }: HomePageProps) {
  const ordersTurn = useSignal(0);
  const menuTurn = useSignal(0);
  useTitle(nameOf(store), 'Comanda');
  useEffect(() => {
    const readOrders = () => (ordersTurn.value += 1);
    const readMenu = () => (menuTurn.value += 1);
    const [ordersChanged, menuChanged] = [settled(readOrders), settled(readMenu)];
    const hear = ({ type }: StoreEvent) => (type.startsWith('menu.') ? menuChanged() : ordersChanged());
    const stopListening = live.listen({
      onBegin: () => [readOrders, readMenu].forEach((read) => read()),
      onEvent: hear,
    });
    const poll = setInterval(() => live.isLive.value || readOrders(), POLL_MS);
    return () => {
      clearInterval(poll);
      stopListening();
    };
  }, [live]);
  return (
    <>
      <header>
        <h1>
          <bdi>{nameOf(store)}</bdi>
        </h1>
        <a class="button primary" href={toHref(`/stores/${store.id}/board`)}>
          {t('open_the_board')}
        </a>
      </header>
      {/* What needs attention stands above the rest, and would push it away. */}
      {isAnswered(live) ? (
        <>
          <PrinterTrouble store={store} live={live} />
          <NeedsAttention store={store} live={live} />
          <OpenOrders store={store} live={live} />
          <div class="home-parts">
            <div class="stack">
              {may('read') && <Today store={store} turn={ordersTurn.value} />}
              {intake?.slots !== undefined && (
                <Slots intake={intake} slots={intake.slots} timezone={timezoneOf(store)} />
              )}
              <LatestOrders store={store} turn={ordersTurn.value} />
            </div>
            <div class="stack">
              <SoldOut store={store} turn={menuTurn.value} />
              {may('webhooks:write') && <WebhookTrouble store={store} />}
            </div>
          </div>
        </>
      ) : (
        <Busy />
      )}
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
