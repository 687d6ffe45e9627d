import { signal, type ReadonlySignal } from '@preact/signals';
import type { ManagedOrder } from '#sdk';
import { client } from '../../client.js';
import type { OrderStatus } from '../../parts/order-status.js';

/** How long a tap can be taken back: the service knows no way from a status to the one before. */
const HOLD_MS = 5_000;

export interface Move {
  readonly to: OrderStatus;
  /** When it goes out; undefined once it is on its way. */
  readonly at: number | undefined;
}

export interface Moves {
  readonly pending: ReadonlySignal<ReadonlyMap<string, Move>>;
  /** Refusals of moves, by order, until the next try. */
  readonly refusals: ReadonlySignal<ReadonlyMap<string, unknown>>;
  /** Moves the order on after the time to take it back, or at once. */
  readonly start: (order: ManagedOrder, to: OrderStatus, options?: { readonly isHeld: boolean }) => void;
  readonly undo: (orderId: string) => void;
  /** Sends all that is held back: nobody is there any more to take it back. */
  readonly flush: () => void;
}

export function createMoves(onMoved: (orderId: string) => Promise<void>): Moves {
  const pending = signal<ReadonlyMap<string, Move>>(new Map());
  const refusals = signal<ReadonlyMap<string, unknown>>(new Map());
  const timers = new Map<string, { readonly timer: number; readonly send: () => void }>();

  const send = async (orderId: string, to: OrderStatus) => {
    timers.delete(orderId);
    pending.value = new Map(pending.value).set(orderId, { to, at: undefined });
    try {
      await client.changeOrder(orderId, { status: to });
      await onMoved(orderId);
    } catch (error) {
      refusals.value = new Map(refusals.value).set(orderId, error);
    }
    pending.value = without(pending.value, orderId);
  };

  return {
    pending,
    refusals,
    start: ({ id }, to, { isHeld } = { isHeld: true }) => {
      if (timers.has(id)) return;
      refusals.value = without(refusals.value, id);
      if (!isHeld) {
        void send(id, to);
        return;
      }
      pending.value = new Map(pending.value).set(id, { to, at: Date.now() + HOLD_MS });
      const timer = window.setTimeout(() => void send(id, to), HOLD_MS);
      timers.set(id, { timer, send: () => void send(id, to) });
    },
    undo: (orderId) => {
      clearTimeout(timers.get(orderId)?.timer);
      timers.delete(orderId);
      pending.value = without(pending.value, orderId);
    },
    flush: () => {
      for (const { timer, send: sendNow } of [...timers.values()]) {
        clearTimeout(timer);
        sendNow();
      }
    },
  };
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  const next = new Map(map);
  next.delete(key);
  return next;
}
