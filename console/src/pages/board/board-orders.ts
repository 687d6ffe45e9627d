import { signal, type ReadonlySignal } from '@preact/signals';
import type { LiveOrder, StoreEvent } from '../../live/follow-store.js';
import { readOpenOrders } from '../../open-orders.js';
import { isOpen } from '../../parts/order-status.js';

export interface BoardOrders {
  /** By id; undefined until they have been read once. */
  readonly orders: ReadonlySignal<ReadonlyMap<string, LiveOrder> | undefined>;
  /** Reads all open orders anew. */
  readonly reload: () => Promise<void>;
  readonly takeIn: (event: StoreEvent) => void;
  /** Puts in an order that an answer has just brought. */
  readonly put: (order: LiveOrder) => void;
}

/** The open orders of a store as last heard: read whole when the stream begins, then kept up with its events. */
export function createBoardOrders(storeId: string): BoardOrders {
  const orders = signal<ReadonlyMap<string, LiveOrder> | undefined>(undefined);
  let reading: AbortController | undefined;
  /** What came while the list was being read may be newer than what the list says. */
  let meanwhile: LiveOrder[] = [];

  const put = (order: LiveOrder) => {
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

  return {
    orders,
    reload,
    put,
    takeIn: ({ data: { order } }) => {
      if (order !== undefined) put(order);
    },
  };
}

/** An older state of an order never takes the place of a newer one. */
function withOrder(orders: ReadonlyMap<string, LiveOrder>, order: LiveOrder): ReadonlyMap<string, LiveOrder> {
  const known = orders.get(order.id);
  if (known !== undefined && (known.revision ?? 0) > (order.revision ?? 0)) return orders;
  const next = new Map(orders);
  if (isOpen(order.status)) next.set(order.id, order);
  else next.delete(order.id);
  return next;
}
