import type { ManagedStore, Order } from '#sdk';
import { client } from '../../data/session.js';
import { timezoneOf } from '../../data/stores.js';
import { startOfDay } from '../../../../src/calendar/wall-clock.js';

/** The latest so many orders say enough, and each of them is a request. */
const SAMPLE = 20;
/** Some of them are not accepted, or never will be. */
const READ = 40;

/** How long orders waited until they were accepted, by id, as far as it has been read: it never changes. */
export type AcceptTimes = Map<string, number | undefined>;

/** How long the latest orders of the day waited until they were accepted, on average; undefined where none has been. */
export async function readTimeToAccept(
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
