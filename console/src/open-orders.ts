import { client } from './client.js';
import type { LiveOrder } from './live/follow-store.js';
import { OPEN_STATUSES } from './parts/order-status.js';

/** Far more than any kitchen can have before it. */
const MOST_OPEN = 2_000;

/** The orders that still need someone to do something. */
export async function readOpenOrders(storeId: string, signal: AbortSignal): Promise<LiveOrder[]> {
  const found: LiveOrder[] = [];
  for (const status of OPEN_STATUSES) {
    for await (const order of client.iterateOrders(storeId, { status }, { signal })) {
      found.push(order);
      if (found.length >= MOST_OPEN) return found;
    }
  }
  return found;
}
