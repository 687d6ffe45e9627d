import type { Order } from '#sdk';
import { t } from '../text/t.js';

export type OrderStatus = Order['status'];

export const STATUS_WORDS: Readonly<Record<OrderStatus, string>> = {
  PENDING: t('new_order'),
  ACCEPTED: t('in_the_kitchen'),
  READY: t('ready'),
  FULFILLED: t('handed_over'),
  REJECTED: t('rejected'),
  STORE_CANCELLED: t('cancelled_by_the_store'),
  CUSTOMER_CANCELLED: t('cancelled_by_the_customer'),
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
