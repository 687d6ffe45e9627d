import { useMemo } from 'preact/hooks';
import type { ManagedStore, SalesTotal } from '#sdk';
import { client } from '../../data/session.js';
import type { LiveStore } from '../../data/live/live-store.js';
import { AT_A_GLANCE, areOrders, useChanges } from '../../data/live/use-changes.js';
import { t } from '../../text/t.js';
import { BarChart, toHourBars } from '../../ui/bar-chart.js';
import { toDuration, toMoney } from '../../text/format.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { toHref } from '../../app/router.js';
import { timezoneOf } from '../../data/stores.js';
import { readTimeToAccept, type AcceptTimes } from './time-to-accept.js';

/** Today's orders and takings, hour by hour, by the clock of the store. */
export function Today({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const timezone = timezoneOf(store);
  const sales = useLoad((signal) => client.getSales(store.id, { by: 'hour' }, { signal }), [store.id]);
  const acceptTimes = useMemo<AcceptTimes>(() => new Map(), [store.id]);
  const accept = useLoad((signal) => readTimeToAccept(store, acceptTimes, signal), [store.id]);
  const reload = () => [sales, accept].forEach((loaded) => loaded.reload());
  useChanges(live, reload, areOrders, AT_A_GLANCE);
  const average = accept.value.value;
  return (
    <section class="panel stack" aria-labelledby="today">
      <div class="spread">
        <h2 id="today">{t('today')}</h2>
        <a href={toHref(`/stores/${store.id}/sales`)}>{t('all_sales')}</a>
      </div>
      <WhenLoaded of={sales} busy={t('adding_up_the_day')}>
        {({ total, rows, from }) => (
          <>
            <dl class="figures number">
              <div>
                <dt>
                  <a href={toHref(`/stores/${store.id}/orders`, { from })}>{t('orders')}</a>
                </dt>
                <dd>{countAll(total)}</dd>
              </div>
              <div>
                <dt>{t('takings_with_tax')}</dt>
                <dd>{toMoney(total.price + total.tax, store.currency)}</dd>
              </div>
              <div>
                <dt>{t('time_to_accept_on_average')}</dt>
                <dd>{average === undefined ? '–' : toDuration(average)}</dd>
              </div>
            </dl>
            {total.orders === 0 ? (
              <p class="nothing-today soft">
                {t('nothing_has_been_sold_yet_today', {
                  timezone: timezone.replaceAll('_', ' '),
                })}
              </p>
            ) : (
              <BarChart
                title={t('takings_by_hour')}
                unit={t('hour')}
                bars={toHourBars(rows)}
                currency={store.currency}
              />
            )}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

function countAll({ orders = 0, cancelled, rejected }: SalesTotal): number {
  return orders + (cancelled?.orders ?? 0) + (rejected?.orders ?? 0);
}
