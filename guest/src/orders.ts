import { effect } from '@preact/signals';
import {
  cancelOrder,
  readOrder,
  Refused,
  streamOf,
  type Order,
  type Progress,
  type Status,
  type TakenOrder,
} from './api.js';
import { keptSignal } from './kept.js';
import { code } from './place.js';

/** The orders that this guest has placed here, each known by its token alone. */

export interface OwnOrder {
  readonly token: string;
  readonly order: Order;
  /** When it was placed. */
  readonly at: number;
}

const FORGET_MS = 24 * 60 * 60_000;
const POLL_MS = 10_000;
const NONE: readonly OwnOrder[] = [];

export const ownOrders = keptSignal(`comanda-orders-${code}`, NONE);

const FINAL: ReadonlySet<Status> = new Set([
  'FULFILLED',
  'REJECTED',
  'CUSTOMER_CANCELLED',
  'STORE_CANCELLED',
]);

export function isFinal({ status }: Pick<Order, 'status'>): boolean {
  return FINAL.has(status);
}

/** An order that was handed over may still be paid: how it stands is worth a look. */
function isUnpaid({ status, due = 0 }: Order): boolean {
  return status === 'FULFILLED' && due > 0;
}

export function rememberOrder({ token, ...order }: TakenOrder): void {
  const others = ownOrders.value.filter((one) => one.token !== token);
  ownOrders.value = [{ token, order, at: Date.now() }, ...others];
}

export function forgetOrder(token: string): void {
  const others = ownOrders.value.filter((one) => one.token !== token);
  ownOrders.value = others.length === 0 ? NONE : others;
}

function update(token: string, changed: Partial<Order>): void {
  ownOrders.value = ownOrders.value.map((one) =>
    one.token === token ? { ...one, order: { ...one.order, ...changed } } : one,
  );
}

function known(token: string): Order | undefined {
  return ownOrders.value.find((own) => own.token === token)?.order;
}

async function reload(token: string): Promise<void> {
  const before = known(token);
  try {
    const order = await readOrder(token);
    // The stream may have been faster than this response, which would then undo what it said.
    if (known(token) !== before) return await reload(token);
    update(token, order);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) forgetOrder(token);
  }
}

/** Whether it is cancelled now; the kitchen may have been faster. */
export async function cancel(token: string): Promise<'cancelled' | 'too_late' | 'unknown'> {
  try {
    update(token, await cancelOrder(token));
    return 'cancelled';
  } catch (error) {
    void reload(token);
    return error instanceof Refused && error.status === 409 ? 'too_late' : 'unknown';
  }
}

/** A browser opens at most six connections to a service, and the page needs some for itself. */
const MOST_STREAMS = 2;

/** By token; undefined where it has no stream. */
const followed = new Map<string, EventSource | undefined>();

/** Follows an order until it is final: by its stream, and by asking again and again while there is none. */
function follow(token: string): void {
  if (followed.has(token)) return;
  followed.set(token, openStream(token));
  const timer = setInterval(() => void look(), POLL_MS);
  const look = async () => {
    const order = known(token);
    const stream = followed.get(token);
    if (order === undefined || isFinal(order)) {
      stream?.close();
      clearInterval(timer);
      followed.delete(token);
      return;
    }
    if (stream?.readyState === EventSource.OPEN) return;
    // A browser that has given up on a stream does not try again by itself.
    if (stream?.readyState === EventSource.CLOSED) followed.set(token, openStream(token));
    await reload(token);
  };
  void look();
}

function openStream(token: string): EventSource | undefined {
  const others = [...followed].filter(([other, stream]) => other !== token && stream !== undefined);
  if (others.length >= MOST_STREAMS) return undefined;
  const stream = new EventSource(streamOf(token));
  stream.addEventListener('order', ({ data }) => {
    const progress = JSON.parse(String(data)) as Progress;
    const before = known(token);
    update(token, progress);
    // What was changed about its lines is not in the stream.
    if (before?.status === progress.status) void reload(token);
  });
  return stream;
}

export function startFollowing(): void {
  const recent = ownOrders.value.filter(({ at }) => Date.now() - at < FORGET_MS);
  if (recent.length !== ownOrders.value.length) ownOrders.value = recent.length === 0 ? NONE : recent;
  const lookAgain = (isWanted: (order: Order) => boolean) => {
    for (const { token, order } of ownOrders.value) if (isWanted(order)) void reload(token);
  };
  lookAgain(isUnpaid);
  // Also what another tab of the same guest has ordered.
  effect(() => {
    for (const { token, order } of ownOrders.value) if (!isFinal(order)) follow(token);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    lookAgain((order) => !isFinal(order) || isUnpaid(order));
  });
}
