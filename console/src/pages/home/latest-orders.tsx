import type { ManagedStore } from '#sdk';
import { client } from '../../data/session.js';
import { AT_A_GLANCE, areOrders, useChanges, type LiveStore } from '../../data/live/live-store.js';
import { t } from '../../text/t.js';
import { toCallNumber, toDateTime, toMoney, toNameAtPlace } from '../../text/format.js';
import { StatusBadge } from '../../ui/order-status.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { toHref } from '../../app/router.js';
import { timezoneOf } from '../../data/stores.js';
import { readManaged } from '../../data/managed-orders.js';

const SHOWN = 6;

export function LatestOrders({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const loaded = useLoad(
    async (signal) => {
      const list = await client.listOrders(store.id, { page_size: SHOWN }, { signal });
      return readManaged(store.id, list.order_result_list ?? [], signal);
    },
    [store.id],
  );
  useChanges(live, loaded.reload, areOrders, AT_A_GLANCE);
  return (
    <section class="panel stack" aria-labelledby="latest">
      <div class="spread">
        <h2 id="latest">{t('latest_orders')}</h2>
        <a href={toHref(`/stores/${store.id}/orders`)}>{t('all_orders')}</a>
      </div>
      <WhenLoaded of={loaded} busy={t('reading_the_orders')}>
        {(orders) =>
          orders.length === 0 ? (
            <p class="soft">{t('none_yet_orders_arrive_through_the')}</p>
          ) : (
            <ul class="rows whole latest">
              {orders.map((order) => (
                <li key={order.id}>
                  <a class="number" href={toHref(`/stores/${store.id}/orders/${order.id}`)}>
                    {toCallNumber(order)}
                  </a>
                  <bdi class="clamp latest-name">{toNameAtPlace(order)}</bdi>
                  <span class="soft number latest-time">
                    {toDateTime(order.created_at, timezoneOf(store))}
                  </span>
                  <StatusBadge status={order.status} />
                  <span class="number">{toMoney(order.price + order.tax, store.currency)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </section>
  );
}
