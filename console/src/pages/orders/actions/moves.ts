import { signal, type ReadonlySignal } from '@preact/signals';
import type { ManagedOrder } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { toCallNumber } from '../../../text/format.js';
import type { OrderStatus } from '../../../ui/order-status.js';
import type { Reason } from '../../../text/code-words.js';
import { say } from '../../../ui/toasts.js';
import { useEffect, useMemo } from 'preact/hooks';

/** How long a tap can be taken back: the service knows no way from a status to the one before. */
const HOLD_MS = 5_000;

/** What is said once a step is taken: what cannot be taken back, and what can still be done. */
const DONE: Readonly<Record<OrderStatus, string>> = {
  PENDING: t('new'),
  ACCEPTED: t('accepted_this_cannot_be_taken_back'),
  READY: t('ready_this_cannot_be_taken_back'),
  FULFILLED: t('handed_over_the_order_has_ended'),
  REJECTED: t('rejected_the_order_has_ended_this'),
  STORE_CANCELLED: t('cancelled_the_order_has_ended_this'),
  CUSTOMER_CANCELLED: t('cancelled_the_order_has_ended_this'),
};

export interface Move {
  readonly to: OrderStatus;
  /** When it goes out; undefined once it is on its way. */
  readonly at: number | undefined;
}

interface Refusal {
  readonly error: unknown;
  readonly from: OrderStatus;
}

/** Why an order is rejected or cancelled. */
interface Why {
  readonly reason: Reason;
  readonly text?: string | undefined;
}

export interface Moves {
  readonly pending: ReadonlySignal<ReadonlyMap<string, Move>>;
  /** Refusals of moves, by order, until the next try; once the order has moved on they are over. */
  readonly refusals: ReadonlySignal<ReadonlyMap<string, Refusal>>;
  /** Moves the order on after the time to take it back, or at once. */
  readonly start: (
    order: ManagedOrder,
    to: OrderStatus,
    options?: { readonly isHeld: boolean; readonly why?: Why | undefined },
  ) => void;
  readonly undo: (orderId: string) => void;
  /** Sends all that is held back: nobody is there any more to take it back. */
  readonly flush: () => void;
}

function createMoves(onMoved: (orderId: string) => Promise<void>): Moves {
  const pending = signal<ReadonlyMap<string, Move>>(new Map());
  const refusals = signal<ReadonlyMap<string, Refusal>>(new Map());
  const timers = new Map<string, { readonly timer: number; readonly send: () => void }>();

  const send = async (order: ManagedOrder, to: OrderStatus, why?: Why) => {
    const { id: orderId, status: from } = order;
    timers.delete(orderId);
    pending.value = new Map(pending.value).set(orderId, { to, at: undefined });
    try {
      await client.changeOrder(orderId, { status: to, reason: why?.reason, reason_text: why?.text });
      say(t('number_done', { number: toCallNumber(order), done: DONE[to] }));
      await onMoved(orderId);
    } catch (error) {
      refusals.value = new Map(refusals.value).set(orderId, { error, from });
    }
    pending.value = without(pending.value, orderId);
  };

  return {
    pending,
    refusals,
    start: (order, to, { isHeld, why } = { isHeld: true }) => {
      const { id } = order;
      if (timers.has(id)) return;
      refusals.value = without(refusals.value, id);
      if (!isHeld) {
        void send(order, to, why);
        return;
      }
      pending.value = new Map(pending.value).set(id, { to, at: Date.now() + HOLD_MS });
      const timer = window.setTimeout(() => void send(order, to), HOLD_MS);
      timers.set(id, { timer, send: () => void send(order, to) });
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

/** Moves of a page: what is held back when it is left goes out at once, as nobody is there to take it back. */
export function useMoves(onMoved: (orderId: string) => Promise<void>, of: readonly unknown[]): Moves {
  const moves = useMemo(() => createMoves(onMoved), of);
  useEffect(() => {
    addEventListener('pagehide', moves.flush);
    return () => {
      removeEventListener('pagehide', moves.flush);
      moves.flush();
    };
  }, [moves]);
  return moves;
}
