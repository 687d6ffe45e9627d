import { useMemo } from 'preact/hooks';
import type { ManagedOrder, ManagedStore, Order } from '#sdk';
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

/** Which reading of the day is shown, and the orders that events have told of since it began. */
export interface Day {
  readonly turn: number;
  readonly heard: ReadonlyMap<string, ManagedOrder>;
}

/** Today's orders and takings, hour by hour, by the clock of the store: read once, then kept up by what events tell. */
export function Today({ store, day }: { readonly store: ManagedStore; readonly day: Day }) {
  const timezone = timezoneOf(store);
  const { value, error, reload } = useLoad(
    (signal) => readToday(store.id, timezone, signal),
    [store.id, day.turn],
  );
  const orders = useMemo(() => value.value && withHeard(value.value, day.heard), [value.value, day.heard]);
  const acceptTimes = useMemo<AcceptTimes>(() => new Map(), [store.id]);
  const accept = useLoad(
    async (signal) => (orders === undefined ? undefined : readTimeToAccept(orders, acceptTimes, signal)),
    [orders],
  );
  const sold = orders?.filter(({ status }) => isSold(status)) ?? [];
  const takings = sold.reduce((sum, { price, tax }) => sum + price + tax, 0);
  const average = accept.value.value;
  const date = toWall(Date.now(), timezone).slice(0, 10);
  return (
    <section class="panel stack" aria-labelledby="today">
      <div class="spread">
        <h2 id="today">Today</h2>
        <a href={toHref(`/stores/${store.id}/orders`, { from: date })}>All orders of today</a>
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

interface DayOrders {
  /** When the day began. */
  readonly start: number;
  readonly orders: readonly Order[];
}

async function readToday(storeId: string, timezone: string, signal: AbortSignal): Promise<DayOrders> {
  const start = startOfDay(Date.now(), timezone);
  const orders: Order[] = [];
  const today = { start_time: new Date(start).toISOString() };
  for await (const order of client.iterateOrders(storeId, today, { signal })) {
    orders.push(order);
    if (orders.length >= MOST_ORDERS) break;
  }
  return { start, orders };
}

/** Newest first, as they are read. */
function withHeard({ start, orders }: DayOrders, heard: Day['heard']): Order[] {
  const ofToday = [...heard.values()].filter(({ created_at: created }) => Date.parse(created) >= start);
  return [...ofToday, ...orders.filter(({ id }) => !heard.has(id))].sort((one, other) =>
    other.created_at.localeCompare(one.created_at),
  );
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
