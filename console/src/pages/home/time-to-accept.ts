import type { Order } from '#sdk';
import { client } from '../../client.js';

/** The latest so many orders say enough, and each of them is a request. */
const SAMPLE = 20;

/** How long the latest orders of the day waited until they were accepted, on average; undefined where none has been. */
export async function readTimeToAccept(
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const candidates = orders
    .filter(({ status }) => status === 'ACCEPTED' || status === 'READY' || status === 'FULFILLED')
    .slice(0, SAMPLE);
  const waits = await Promise.all(
    candidates.map(async ({ id, created_at: created }) => {
      const history = await client.getOrderHistory(id, { signal });
      const accepted = history.find(({ field, to }) => field === 'status' && to === 'ACCEPTED');
      return accepted === undefined ? undefined : Date.parse(accepted.time) - Date.parse(created);
    }),
  );
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, wait) => sum + wait, 0) / known.length;
}
