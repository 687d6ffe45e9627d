import type { ManagedOrder } from '#sdk';
import { client } from './client.js';
import { OPEN_STATUSES } from '../ui/order-status.js';

/** Far more than any kitchen can have before it. */
const MOST_OPEN = 2_000;
const PAGE_SIZE = 500;

/** The orders that still need someone to do something. */
export async function readOpenOrders(storeId: string, signal: AbortSignal): Promise<ManagedOrder[]> {
  const found: ManagedOrder[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = { status: OPEN_STATUSES.join(), limit: PAGE_SIZE, cursor };
    const page = await client.listManagedOrders(storeId, query, { signal });
    found.push(...page.orders);
    if (!page.has_more || found.length >= MOST_OPEN) return found;
    ({ cursor } = page);
  }
}
