import type { ManagedOrder, ManagedStore } from '#sdk';
import { client } from '../../../data/session.js';
import { toCallNumber } from '../../../text/format.js';
import { readManaged } from '../../../data/managed-orders.js';

/** Numbers come round again, so that the latest orders are the ones meant; these many of them are looked through. */
export const LATEST = 300;
const PAGE_SIZE = 100;

/** The orders that are called by a number: open ones, the latest ones, and the one that came with just this number. */
export async function findByNumber(
  store: ManagedStore,
  open: readonly ManagedOrder[],
  number: string,
  signal: AbortSignal,
): Promise<ManagedOrder[]> {
  const wanted = plain(number.replace(/^#/, ''));
  const [{ orders: exact }, latest] = await Promise.all([
    client.listManagedOrders(store.id, { external_id: number }, { signal }),
    readLatest(store.id, signal),
  ]);
  const called = [...open, ...latest].filter((order) => plain(toCallNumber(order)) === wanted);
  const found = new Map([...called, ...exact].map((order) => [order.id, order]));
  return [...found.values()].sort((one, other) => other.created_at.localeCompare(one.created_at));
}

/** Orders from before are called `0254`. */
const plain = (number: string) => number.toUpperCase().replace(/^0+(?=\d)/, '');

async function readLatest(storeId: string, signal: AbortSignal): Promise<ManagedOrder[]> {
  const found: ManagedOrder[] = [];
  for (let page = 1; found.length < LATEST; page += 1) {
    const query = { page_index: page, page_size: PAGE_SIZE };
    const { order_result_list: orders = [] } = await client.listOrders(storeId, query, { signal });
    found.push(...(await readManaged(storeId, orders, signal)));
    if (orders.length < PAGE_SIZE) break;
  }
  return found;
}
