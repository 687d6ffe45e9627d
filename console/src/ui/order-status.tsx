import type { Order } from '#sdk';
import { t } from '../text/t.js';

export type OrderStatus = Order['status'];

export const STATUS_WORDS: Readonly<Record<OrderStatus, string>> = {
  PENDING: t('New#order'),
  ACCEPTED: t('In the kitchen'),
  READY: t('Ready'),
  FULFILLED: t('Handed over'),
  REJECTED: t('Rejected'),
  STORE_CANCELLED: t('Cancelled by the store'),
  CUSTOMER_CANCELLED: t('Cancelled by the customer'),
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

/** The statuses that still need someone to do something. */
export const OPEN_STATUSES = ['PENDING', 'ACCEPTED', 'READY'] as const;
export type OpenStatus = (typeof OPEN_STATUSES)[number];

export function isOpen(status: OrderStatus): status is OpenStatus {
  return (OPEN_STATUSES as readonly OrderStatus[]).includes(status);
}
