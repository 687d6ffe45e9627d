import { useMemo } from 'preact/hooks';
import type { ManagedStore, Order } from '#sdk';
import { client } from '../../client.js';
import { Busy } from '../../parts/busy.js';
import { toCount, toDuration, toMoney } from '../../parts/format.js';
import { isSold } from '../../parts/order-status.js';
import { Trouble } from '../../parts/trouble.js';
import { useLoad } from '../../parts/use-load.js';
import { startOfDay, toWall } from '../../parts/wall-clock.js';
import { toHref } from '../../router.js';
import { timezoneOf } from '../../stores.js';
import { HourChart, type Hour } from './hour-chart.js';
import { readTimeToAccept, type AcceptTimes } from './time-to-accept.js';

/** A day beyond this is shown in part, and says so. */
const MOST_ORDERS = 3_000;

/** Today's orders and takings, hour by hour, by the clock of the store. */
export function Today({ store, turn }: { readonly store: ManagedStore; readonly turn: number }) {
  const timezone = timezoneOf(store);
  const { value, error, reload } = useLoad(
    (signal) => readToday(store.id, timezone, signal),
    [store.id, turn],
  );
  const acceptTimes = useMemo<AcceptTimes>(() => new Map(), [store.id]);
  const accept = useLoad(
    async (signal) =>
      value.value === undefined ? undefined : readTimeToAccept(value.value, acceptTimes, signal),
    [value.value],
  );
  const orders = value.value;
  const sold = orders?.filter(({ status }) => isSold(status)) ?? [];
  const takings = sold.reduce((sum, { price, tax }) => sum + price + tax, 0);
  const average = accept.value.value;
  const day = toWall(Date.now(), timezone).slice(0, 10);
  return (
    <section class="panel stack" aria-labelledby="today">
      <div class="spread">
        <h2 id="today">Today</h2>
        <a href={toHref(`/stores/${store.id}/orders`, { from: day })}>All orders of today</a>
      </div>
      {error.value !== undefined && <Trouble error={error.value} retry={reload} />}
      {orders === undefined ? (
        error.value === undefined && <Busy>Adding up the day</Busy>
      ) : (
        <>
          <dl class="figures number">
            <div>
              <dt>Orders</dt>
              <dd>{orders.length}</dd>
            </div>
            <div>
              <dt>Takings with tax</dt>
              <dd>{toMoney(takings, store.currency)}</dd>
            </div>
            <div>
              <dt>Time to accept, on average</dt>
              <dd>{average === undefined ? '–' : toDuration(average)}</dd>
            </div>
          </dl>
          {orders.length >= MOST_ORDERS && (
            <p class="soft small">Of the latest {toCount(MOST_ORDERS, 'order')} of today.</p>
          )}
          {sold.length === 0 ? (
            <p class="nothing-today soft">
              Nothing has been sold yet today. The day of the store began at midnight,{' '}
              {timezone.replaceAll('_', ' ')}.
            </p>
          ) : (
            <HourChart hours={toHours(sold, timezone)} currency={store.currency} />
          )}
        </>
      )}
    </section>
  );
}

async function readToday(storeId: string, timezone: string, signal: AbortSignal): Promise<Order[]> {
  const start = new Date(startOfDay(Date.now(), timezone)).toISOString();
  const orders: Order[] = [];
  for await (const order of client.iterateOrders(storeId, { start_time: start }, { signal })) {
    orders.push(order);
    if (orders.length >= MOST_ORDERS) break;
  }
  return orders;
}

function toHours(orders: readonly Order[], timezone: string): Hour[] {
  const hours = Array.from({ length: 24 }, (_none, hour) => ({ hour, orders: 0, takings: 0 }));
  for (const { created_at: created, price, tax } of orders) {
    const hour = hours[Number(toWall(Date.parse(created), timezone).slice(11, 13))];
    if (hour === undefined) continue;
    hour.orders += 1;
    hour.takings += price + tax;
  }
  return hours;
}
