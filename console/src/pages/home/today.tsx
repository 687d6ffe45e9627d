import { useMemo } from 'preact/hooks';
import type { ManagedStore, SalesTotal, Order } from '#sdk';
import { client } from '../../data/session.js';
import { AT_A_GLANCE, areOrders, useChanges, type LiveStore } from '../../data/live/live-store.js';
import { t } from '../../text/t.js';
import { BarChart, toHourBars } from '../../ui/bar-chart.js';
import { toDuration, toMoney } from '../../text/format.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { toHref } from '../../app/router.js';
import { timezoneOf } from '../../data/stores.js';
import { startOfDay } from '../../../../src/calendar/wall-clock.js';

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

/** The latest so many orders say enough, and each of them is a request. */
const SAMPLE = 20;
/** Some of them are not accepted, or never will be. */
const READ = 40;

/** How long orders waited until they were accepted, by id, as far as it has been read: it never changes. */
export type AcceptTimes = Map<string, number | undefined>;

/** How long the latest orders of the day waited until they were accepted, on average; undefined where none has been. */
async function readTimeToAccept(
  store: ManagedStore,
  known: AcceptTimes,
  signal: AbortSignal,
): Promise<number | undefined> {
  const start = new Date(startOfDay(Date.now(), timezoneOf(store))).toISOString();
  const list = await client.listOrders(store.id, { start_time: start, page_size: READ }, { signal });
  const latest = (list.order_result_list ?? [])
    .filter(({ status }) => status === 'ACCEPTED' || status === 'READY' || status === 'FULFILLED')
    .slice(0, SAMPLE);
  const read = async ({ id, created_at: created }: Order) => {
    const history = await client.getOrderHistory(id, { signal });
    const accepted = history.find(({ field, to }) => field === 'status' && to === 'ACCEPTED');
    known.set(id, accepted === undefined ? undefined : Date.parse(accepted.time) - Date.parse(created));
  };
  await Promise.all(latest.filter(({ id }) => !known.has(id)).map(read));
  const waits = latest.map(({ id }) => known.get(id)).filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
}
