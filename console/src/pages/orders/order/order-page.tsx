import type { ManagedOrder, ManagedStore } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { useChanges, type LiveStore } from '../../../data/live/live-store.js';
import { MoreMinutes } from '../actions/more-minutes.js';
import { OrderActions } from '../actions/order-actions.js';
import { useMoves } from '../actions/moves.js';
import { Button } from '../../../ui/button.js';
import { useLoad, WhenLoaded } from '../../../ui/loading.js';
import { toCallNumber, toDateTime, toNameAtPlace } from '../../../text/format.js';
import { Fact } from '../../../ui/fact.js';
import { Icon } from '../../../ui/icon.js';
import { Due, Service } from '../order-facts.js';
import { OrderLines } from '../order-lines.js';
import { isOpen, StatusBadge } from '../../../ui/order-status.js';
import { Timing } from '../timing.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { stationOf, useStations, type Stations } from '../../../data/stations.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';
import { usePrintedTicket } from '../ticket/print-ticket.js';
import { ChangeOrder } from '../change/change-order.js';
import { EraseCustomer } from './erase-customer.js';
import { Facts } from './facts.js';
import { History } from './history.js';
import { Payments } from './payments.js';
import { Totals } from './totals.js';
import './order.css';

interface OrderPageProps {
  readonly store: ManagedStore;
  readonly live: LiveStore;
  readonly orderId: string;
}

/** Everything about one order: what was asked for, what became of it when, and what can be done with it now. */
export function OrderPage({ store, live, orderId }: OrderPageProps) {
  const loaded = useLoad(
    async (signal) => {
      const [order, history] = await Promise.all([
        client.getManagedOrder(orderId, { signal }),
        client.getOrderHistory(orderId, { signal }),
      ]);
      return { order, history };
    },
    [orderId],
  );
  const { reload } = loaded;
  const changed = async (id: string) => {
    reload();
    await live.readAgain(id);
  };
  const moves = useMoves(changed, [live, orderId]);
  useChanges(live, reload, (data) => 'order_id' in data && data.order_id === orderId);
  const stations = useStations(store, live);
  const found = loaded.value.value;
  usePrintedTicket(found?.order, store);
  const number = found === undefined ? '' : toCallNumber(found.order);
  useTitle(t('order_number', { number }), nameOf(store));
  return (
    <>
      <header>
        <div class="stack order-title">
          <a href={toHref(`/stores/${store.id}/orders`)} class="row small">
            <Icon name="left" />
            {t('all_orders')}
          </a>
          <h1>{t('order_number', { number })}</h1>
        </div>
        {found !== undefined && (
          <div class="row">
            <StatusBadge status={found.order.status} />
            <Service service={found.order.service} />
            <Due due={found.order.due} currency={store.currency} />
            {isOpen(found.order.status) && <Timing readyBy={found.order.ready_by} />}
            <Button icon="print" onClick={() => print()}>
              {t('print')}
            </Button>
          </div>
        )}
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_order')}>
        {({ order, history }) => (
          <>
            <div class="order-work">
              <OrderActions order={order} moves={moves}>
                {order.status !== 'READY' && (
                  <MoreMinutes
                    order={order}
                    timezone={timezoneOf(store)}
                    onChanged={() => void changed(orderId)}
                  />
                )}
                <ChangeOrder order={order} store={store} onChanged={() => void changed(orderId)} />
              </OrderActions>
            </div>
            <div class="order-parts">
              <Ticket order={order} store={store} stations={stations} />
              <div class="stack">
                <Payments order={order} store={store} onChanged={() => void changed(orderId)} />
                <Customer order={order} store={store} onErased={() => void changed(orderId)} />
                <History
                  order={order}
                  history={history}
                  timezone={timezoneOf(store)}
                  onChanged={() => void changed(orderId)}
                />
              </div>
            </div>
          </>
        )}
      </WhenLoaded>
    </>
  );
}

interface TicketProps {
  readonly order: ManagedOrder;
  readonly store: ManagedStore;
  readonly stations: Stations | undefined;
}

function Ticket({ order, store, stations }: TicketProps) {
  return (
    <section class="panel stack" aria-labelledby="items">
      <h2 id="items">{t('items')}</h2>
      <OrderLines
        items={order.items}
        currency={store.currency}
        hasPrices
        most={100}
        stationOf={(item) => stationOf(stations, item)}
      />
      {order.customer_comments !== undefined && order.customer_comments !== '' && (
        <p class="notice">
          <Icon name="comment" />
          <bdi class="comment-text">{order.customer_comments}</bdi>
        </p>
      )}
      <Totals order={order} currency={store.currency} />
    </section>
  );
}

interface CustomerProps {
  readonly order: ManagedOrder;
  readonly store: ManagedStore;
  readonly onErased: () => void;
}

function Customer({ order, store, onErased }: CustomerProps) {
  const timezone = timezoneOf(store);
  return (
    <section class="panel stack" aria-labelledby="about">
      <h2 id="about">{t('about')}</h2>
      <dl class="facts">
        <Fact label={t('customer')}>
          <bdi>{toNameAtPlace(order)}</bdi>
        </Fact>
        {order.customer.phone !== '' && (
          <Fact label={t('phone')}>
            <bdi>{order.customer.phone}</bdi>
          </Fact>
        )}
        <Fact label={t('placed')}>{toDateTime(order.created_at, timezone)}</Fact>
        <Fact label={t('ready_by')}>{toDateTime(order.ready_by, timezone)}</Fact>
        {order.completed_at !== undefined && (
          <Fact label={t('ended')}>{toDateTime(order.completed_at, timezone)}</Fact>
        )}
        <Facts order={order} />
        <Fact label={t('in_the_till')}>{order.in_pos ? t('yes') : t('not_yet')}</Fact>
        {order.external_id !== undefined && (
          <Fact label={t('reference')}>
            <bdi class="mono">{order.external_id}</bdi>
          </Fact>
        )}
        <dt>{t('id')}</dt>
        <dd class="mono">{order.id}</dd>
      </dl>
      <div class="actions">
        <EraseCustomer order={order} onErased={onErased} />
      </div>
    </section>
  );
}
