import type { Order } from '#sdk';

export type OrderStatus = Order['status'];

export const STATUS_WORDS: Readonly<Record<OrderStatus, string>> = {
  PENDING: 'New',
  ACCEPTED: 'In the kitchen',
  READY: 'Ready',
  FULFILLED: 'Handed over',
  REJECTED: 'Rejected',
  STORE_CANCELLED: 'Cancelled by the store',
  CUSTOMER_CANCELLED: 'Cancelled by the customer',
};

const TONES: Readonly<Record<OrderStatus, string>> = {
  PENDING: 'new',
  ACCEPTED: 'kitchen',
  READY: 'ready',
  FULFILLED: '',
  REJECTED: 'bad',
  STORE_CANCELLED: 'bad',
  CUSTOMER_CANCELLED: 'bad',
};

export function StatusBadge({ status }: { readonly status: OrderStatus }) {
  return <span class={`badge ${TONES[status]}`}>{STATUS_WORDS[status]}</span>;
}

/** Whether an order counts towards the takings. */
export function isSold(status: OrderStatus): boolean {
  return status !== 'REJECTED' && status !== 'STORE_CANCELLED' && status !== 'CUSTOMER_CANCELLED';
}

/** The statuses that still need someone to do something. */
export const OPEN_STATUSES = ['PENDING', 'ACCEPTED', 'READY'] as const;
export type OpenStatus = (typeof OPEN_STATUSES)[number];

export function isOpen(status: OrderStatus): status is OpenStatus {
  return (OPEN_STATUSES as readonly OrderStatus[]).includes(status);
}
