import type { ManagedOrder, ManagedStore, OrderChange } from '#sdk';
import { client } from '../../client.js';
import { Busy } from '../../parts/busy.js';
import { toCallNumber, toDateTime, toMoney } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { OrderLines } from '../../parts/order-lines.js';
import { isOpen, StatusBadge, STATUS_WORDS, type OrderStatus } from '../../parts/order-status.js';
import { Timing } from '../../parts/timing.js';
import { Trouble } from '../../parts/trouble.js';
import { useLoad } from '../../parts/use-load.js';
import { useTitle } from '../../parts/use-title.js';
import { toHref } from '../../router.js';
import { nameOf, timezoneOf } from '../../stores.js';
import { whoOf } from '../../key-labels.js';
import './order.css';

/** Everything about one order: what was asked for, and what became of it when. */
export function OrderPage({ store, orderId }: { readonly store: ManagedStore; readonly orderId: string }) {
  const { value, error, reload } = useLoad(
    async (signal) => {
      const [order, history] = await Promise.all([
        client.getManagedOrder(orderId, { signal }),
        client.getOrderHistory(orderId, { signal }),
      ]);
      return { order, history };
    },
    [orderId],
  );
  const number = value.value === undefined ? '' : toCallNumber(value.value.order);
  useTitle(`Order ${number}`, nameOf(store));
  return (
    <>
      <header>
        <div class="stack order-title">
          <a href={toHref(`/stores/${store.id}/orders`)} class="row small">
            <Icon name="left" />
            All orders
          </a>
          <h1>Order {number}</h1>
        </div>
        {value.value !== undefined && (
          <div class="row">
            <StatusBadge status={value.value.order.status} />
            {isOpen(value.value.order.status) && <Timing readyBy={value.value.order.ready_by} />}
          </div>
        )}
      </header>
      {error.value !== undefined && <Trouble error={error.value} retry={reload} />}
      {value.value === undefined ? (
        error.value === undefined && <Busy>Reading the order</Busy>
      ) : (
        <div class="order-parts">
          <Ticket order={value.value.order} store={store} />
          <div class="stack">
            <Customer order={value.value.order} store={store} />
            <History order={value.value.order} history={value.value.history} timezone={timezoneOf(store)} />
          </div>
        </div>
      )}
    </>
  );
}

function Ticket({ order, store }: { order: ManagedOrder; store: ManagedStore }) {
  return (
    <section class="panel stack" aria-labelledby="items">
      <h2 id="items">Items</h2>
      <OrderLines items={order.items} currency={store.currency} hasPrices most={100} />
      {order.customer_comments !== undefined && order.customer_comments !== '' && (
        <p class="notice">
          <Icon name="comment" />
          <bdi class="comment-text">{order.customer_comments}</bdi>
        </p>
      )}
      <dl class="totals number">
        <div>
          <dt>Price</dt>
          <dd>{toMoney(order.price, store.currency)}</dd>
        </div>
        <div>
          <dt>Tax</dt>
          <dd>{toMoney(order.tax, store.currency)}</dd>
        </div>
        <div class="sum">
          <dt>Total</dt>
          <dd>{toMoney(order.price + order.tax, store.currency)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Customer({ order, store }: { order: ManagedOrder; store: ManagedStore }) {
  const timezone = timezoneOf(store);
  return (
    <section class="panel stack" aria-labelledby="about">
      <h2 id="about">About</h2>
      <dl class="facts">
        <dt>Customer</dt>
        <dd>
          <bdi>{order.customer.name}</bdi>
        </dd>
        <dt>Phone</dt>
        <dd>
          <bdi>{order.customer.phone}</bdi>
        </dd>
        <dt>Placed</dt>
        <dd>{toDateTime(order.created_at, timezone)}</dd>
        <dt>Ready by</dt>
        <dd>{toDateTime(order.ready_by, timezone)}</dd>
        {order.completed_at !== undefined && (
          <>
            <dt>Ended</dt>
            <dd>{toDateTime(order.completed_at, timezone)}</dd>
          </>
        )}
        <dt>In the till</dt>
        <dd>{order.in_pos ? 'Yes' : 'Not yet'}</dd>
        {order.external_id !== undefined && (
          <>
            <dt>Own number</dt>
            <dd>
              <bdi class="mono">{order.external_id}</bdi>
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd class="mono">{order.id}</dd>
      </dl>
    </section>
  );
}

interface HistoryProps {
  readonly order: ManagedOrder;
  readonly history: readonly OrderChange[];
  readonly timezone: string;
}

function History({ order, history, timezone }: HistoryProps) {
  return (
    <section class="panel stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      <ol class="history">
        <li>
          <span class="number soft">{toDateTime(order.created_at, timezone)}</span>
          <span>Placed</span>
        </li>
        {history.map((change, at) => (
          <li key={at}>
            <span class="number soft">{toDateTime(change.time, timezone)}</span>
            <span>
              {describe(change, timezone)}{' '}
              <span class="small soft">
                by <bdi>{whoOf(change.key_id)}</bdi>
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describe({ field, to }: OrderChange, timezone: string) {
  switch (field) {
    case 'status':
      return <strong>{STATUS_WORDS[to as OrderStatus]}</strong>;
    case 'is_read':
      return to === true ? 'Seen' : 'Marked as not seen';
    case 'in_pos':
      return to === true ? 'Entered in the till' : 'Taken out of the till';
    case 'checked_menu_version':
      return `Checked against version ${String(to)} of the menu`;
    case 'ready_by':
      return `Promised for ${toDateTime(String(to), timezone)}`;
    case 'customer_comments':
      return to === undefined ? (
        'Comment removed'
      ) : (
        <>
          Comment changed to “<bdi>{String(to).slice(0, 300)}</bdi>”
        </>
      );
  }
}
