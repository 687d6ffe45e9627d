import { exampleIds } from '../domain/example-ids.js';
import type { ImportedOrder } from '../domain/order/shapes.js';
import { isFinal, type OrderStatus } from '../domain/order/status.js';
import { basketOf } from './baskets.js';
import { customerOf, exampleCustomer } from './customers.js';
import { createRandom, type Random } from './random.js';
import type { DemoStore } from './stores.js';
import { createLocalClock } from './time.js';

export interface DemoOrder {
  readonly id: string;
  readonly request: ImportedOrder;
}

const DAYS = 28;
const MINUTE = 60_000;
const COMMENTS = [
  'No onions, please',
  'Sin cubiertos',
  '箸をお願いします',
  'من فضلك بدون بصل',
  'Ring twice 🔔',
];
const PAST: readonly OrderStatus[] = [
  ...Array<OrderStatus>(20).fill('FULFILLED'),
  'CUSTOMER_CANCELLED',
  'STORE_CANCELLED',
  'REJECTED',
];
/** What is in the kitchen right now: minutes ago and status. */
const PRESENT: readonly (readonly [number, OrderStatus])[] = [
  [48, 'READY'],
  [33, 'READY'],
  [26, 'ACCEPTED'],
  [17, 'ACCEPTED'],
  [9, 'ACCEPTED'],
  [4, 'PENDING'],
  [1, 'PENDING'],
];

/** Four weeks of a store's orders up to the given moment; the same for the same moment, to the minute. */
export function demoOrders(store: DemoStore, now: number): DemoOrder[] {
  const random = createRandom(store.storeKey);
  const thisMinute = now - (now % MINUTE);
  const past = moments(store, random, thisMinute - 60 * MINUTE).map((at) => ({
    at,
    status: random.pick(PAST),
  }));
  const present = PRESENT.map(([minutes, status]) => ({ at: thisMinute - minutes * MINUTE, status }));
  const orders = [...past, ...present].map(({ at, status }, number) =>
    toOrder(store, random, number + 1, at, status),
  );
  return store.id === exampleIds.store ? [exampleOrder(store, now), ...orders] : orders;
}

/** When orders came in: some at each meal of each day, more at the end of the week. */
function moments(store: DemoStore, random: Random, until: number): number[] {
  const meals = [
    { hour: 8, hours: 3, orders: 2 },
    { hour: 13, hours: 2, orders: 3 },
    { hour: 20, hours: 3, orders: 3 },
  ];
  const clock = createLocalClock(store.timezone);
  const found: number[] = [];
  for (let back = DAYS; back >= 0; back -= 1) {
    const day = clock.day(until, back);
    const isBusy = [5, 6].includes(new Date(day).getUTCDay());
    for (const { hour, hours, orders } of meals) {
      for (let count = orders + (isBusy ? 1 : 0); count > 0; count -= 1) {
        const at = clock.at(day, hour * 60 + random.below(hours * 60));
        if (at < until) found.push(at);
      }
    }
  }
  return found.sort((a, b) => a - b);
}

function toOrder(
  store: DemoStore,
  random: Random,
  number: number,
  at: number,
  status: OrderStatus,
): DemoOrder {
  const readyBy = at + (15 + random.below(30)) * MINUTE;
  const wasSeen = status !== 'PENDING';
  const request: ImportedOrder = {
    store_id: store.id,
    external_id: `${store.code}-${String(number).padStart(4, '0')}`,
    customer: customerOf(store, random.below(1_000)),
    ...basketOf(store, random),
    ...(random.chance(0.2) ? { customer_comments: random.pick(COMMENTS) } : {}),
    status,
    created_at: iso(at),
    ready_by: iso(readyBy),
    is_read: wasSeen,
    in_pos: wasSeen && status !== 'REJECTED',
    ...(isFinal(status) ? { completed_at: iso(endOf(status, at, readyBy)) } : {}),
  };
  return { id: orderId(store, number), request };
}

function endOf(status: OrderStatus, at: number, readyBy: number): number {
  return status === 'FULFILLED' ? readyBy + 4 * MINUTE : at + 3 * MINUTE;
}

/** Yesterday's lunch: what the examples of the API documents show. */
function exampleOrder(store: DemoStore, now: number): DemoOrder {
  const clock = createLocalClock(store.timezone);
  const at = clock.at(clock.day(now, 1), 13 * 60 + 5);
  const { request } = toOrder(store, createRandom(7), 0, at, 'FULFILLED');
  const { customer_comments: _, ...rest } = request;
  return { id: exampleIds.order, request: { ...rest, customer: exampleCustomer } };
}

/** In the form of every order id: it ends with the store's number. */
function orderId(store: DemoStore, number: number): string {
  const [time, count] = [exampleIds.order.slice(0, 23), number.toString(16).padStart(4, '0')];
  return `${time}-${count}${store.storeKey.toString(16).padStart(8, '0')}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
