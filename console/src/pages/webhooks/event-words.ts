import type { StoreEventType, WebhookDelivery } from '#sdk';

/** What an endpoint can be told of. */
export const EVENT_WORDS: Readonly<Record<StoreEventType, string>> = {
  'order.created': 'A new order',
  'order.status_changed': 'An order that moves on',
  'order.updated': 'Another change of an order',
  'orders.imported': 'Imported orders',
  'menu.published': 'A published menu',
  'menu.stock_changed': 'Sold out and back in',
  'store.updated': 'A change of a store',
};

/** How an attempt to send ended, in a word or two. */
export function toOutcome({ status, error }: Pick<WebhookDelivery, 'status' | 'error'>): string {
  return status === undefined ? (error ?? 'no answer').replaceAll('_', ' ') : `status ${status}`;
}

export function isHeard({ status }: Pick<WebhookDelivery, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
