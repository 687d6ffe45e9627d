import type { Order } from '#sdk';
import { client } from '../../client.js';

/** The latest so many orders say enough, and each of them is a request. */
const SAMPLE = 20;

/** How long orders waited until they were accepted, by id, as far as it has been read: it never changes. */
export type AcceptTimes = Map<string, number | undefined>;

/** How long the latest orders of the day waited until they were accepted, on average; undefined where none has been. */
export async function readTimeToAccept(
  orders: readonly Order[],
  known: AcceptTimes,
  signal: AbortSignal,
): Promise<number | undefined> {
  const latest = orders
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
