import type { ManagedStore } from '#sdk';
import type { LiveIntake } from '../../app/intake/intake.js';
import { t } from '../../text/t.js';
import { isAnswered, type LiveStore } from '../../data/live/live-store.js';
import { Busy } from '../../ui/loading.js';
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

interface HomePageProps {
  readonly store: ManagedStore;
  readonly live: LiveStore;
  readonly intake: LiveIntake;
}

/** How the store is doing, at a glance. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage({ store, live, intake: { intake } }: HomePageProps) {
  useTitle(nameOf(store), 'Comanda');
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
              {may('read') && <Today store={store} live={live} />}
              {intake?.slots !== undefined && (
                <Slots intake={intake} slots={intake.slots} timezone={timezoneOf(store)} />
              )}
              <LatestOrders store={store} live={live} />
            </div>
            <div class="stack">
              <SoldOut store={store} live={live} />
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
