import { signal, type ReadonlySignal } from '@preact/signals';
import type { ManagedOrder, StoreEvent } from '#sdk';
import { client } from '../session.js';
import { isOpen, OPEN_STATUSES } from '../../ui/order-status.js';

export interface OpenOrders {
  /** By id; undefined until they have been read once. */
  readonly orders: ReadonlySignal<ReadonlyMap<string, ManagedOrder> | undefined>;
  /** Reads all open orders anew. */
  readonly reload: () => Promise<void>;
  /** Reads one order that has just been changed. */
  readonly readAgain: (orderId: string) => Promise<void>;
  readonly takeIn: (event: StoreEvent) => Promise<void>;
}

/** The open orders of a store as last heard: read whole when the events begin, then kept up with them. */
export function createOpenOrders(storeId: string): OpenOrders {
  const orders = signal<ReadonlyMap<string, ManagedOrder> | undefined>(undefined);
  let reading: AbortController | undefined;
  /** What came while the list was being read may be newer than what the list says. */
  let meanwhile: ManagedOrder[] = [];
  /** An order that has ended is on the board no more, but an answer from before may still be under way. */
  const newest = new Map<string, number>();

  const put = (order: ManagedOrder) => {
    if ((newest.get(order.id) ?? 0) > order.revision) return;
    newest.set(order.id, order.revision);
    if (reading !== undefined) meanwhile.push(order);
    orders.value = withOrder(orders.value ?? new Map(), order);
  };

  const reload = async () => {
    reading?.abort();
    const control = new AbortController();
    reading = control;
    meanwhile = [];
    try {
      const read = await readOpenOrders(storeId, control.signal);
      if (control.signal.aborted) return;
      orders.value = meanwhile.reduce(withOrder, new Map(read.map((order) => [order.id, order])));
    } finally {
      if (reading === control) reading = undefined;
    }
  };

  const readAgain = async (orderId: string) => put(await client.getManagedOrder(orderId));

  return {
    orders,
    reload,
    readAgain,
    takeIn: async ({ type, data }) => {
      if (type === 'orders.imported') await reload();
      else if ('order' in data) put(data.order);
      else if ('order_id' in data) await readAgain(data.order_id);
    },
  };
}

/** An older state of an order never takes the place of a newer one. */
function withOrder(
  orders: ReadonlyMap<string, ManagedOrder>,
  order: ManagedOrder,
): ReadonlyMap<string, ManagedOrder> {
  if ((orders.get(order.id)?.revision ?? 0) > order.revision) return orders;
  const next = new Map(orders);
  if (isOpen(order.status)) next.set(order.id, order);
  else next.delete(order.id);
  return next;
}

/** Far more than any kitchen can have before it. */
const MOST_OPEN = 2_000;
const PAGE_SIZE = 500;

/** The orders that still need someone to do something. */
async function readOpenOrders(storeId: string, signal: AbortSignal): Promise<ManagedOrder[]> {
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
