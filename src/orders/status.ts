export const ORDER_STATUSES = [
  'PENDING',
  'CUSTOMER_CANCELLED',
  'STORE_CANCELLED',
  'ACCEPTED',
  'REJECTED',
  'READY',
  'FULFILLED',
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

const CANCELLED = ['CUSTOMER_CANCELLED', 'STORE_CANCELLED'] as const;

const MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PENDING: ['ACCEPTED', 'REJECTED', ...CANCELLED],
  ACCEPTED: ['READY', 'FULFILLED', ...CANCELLED],
  READY: ['FULFILLED', ...CANCELLED],
  CUSTOMER_CANCELLED: [],
  STORE_CANCELLED: [],
  REJECTED: [],
  FULFILLED: [],
};

export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return MOVES[from].includes(to);
}

/** A final status ends the order and sets its `completed_at`. */
export function isFinal(status: OrderStatus): boolean {
  return MOVES[status].length === 0;
}

/** Whether it is not made: what it has taken of counted items is left for others. */
export function isGivenUp(status: OrderStatus): boolean {
  return status === 'REJECTED' || CANCELLED.some((cancelled) => cancelled === status);
}

/** What may change only until the order is final. */
export const AMENDED_FIELDS = [
  'items',
  'customer',
  'price',
  'tax',
  'source',
  'references',
  'charges',
  'discounts',
  'tip',
  'delivery',
  'custom',
  'stations_done',
] as const;
