import type { ManagedStore, StorePatch } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';

const FINAL = ['FULFILLED', 'REJECTED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED'] as const;
const DAY_MS = 86_400_000;

/** Asks before orders are kept for fewer days than now: those that are older are removed. */
export async function mayRemoveOrders(
  store: ManagedStore,
  { order_days: days }: StorePatch,
): Promise<boolean> {
  if (typeof days !== 'number' || days >= (store.order_days ?? Infinity)) return true;
  const end_time = new Date(Date.now() - days * DAY_MS).toISOString();
  const lists = await Promise.all(
    FINAL.map((status) => client.listOrders(store.id, { status, end_time, page_size: 1 })),
  );
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  return count === 0 || confirm(t('count_orders_will_be_removed', { count, days }));
}
