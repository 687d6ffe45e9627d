import type { StoreEventType, WebhookDelivery } from '#sdk';
import { t } from '../../../text/t.js';

/** What an endpoint can be told of. */
export const EVENT_WORDS: Readonly<Record<StoreEventType, string>> = {
  'order.created': t('A new order'),
  'order.status_changed': t('An order that moves on'),
  'order.updated': t('Another change of an order'),
  'order.attention': t('An order that needs attention'),
  'orders.imported': t('Imported orders'),
  'menu.published': t('A published menu'),
  'menu.stock_changed': t('Sold out and back in'),
  'menu.publication_refused': t('A menu for several stores that one refused'),
  'store.updated': t('A change of a store'),
  'store.intake_changed': t('A pause, busy time or new hours of a store'),
};

/** How an attempt to send ended, in a word or two. */
export function toOutcome({ status, error }: Pick<WebhookDelivery, 'status' | 'error'>): string {
  return status === undefined
    ? (error?.replaceAll('_', ' ') ?? t('no answer'))
    : t('status {status}', { status: String(status) });
}

export function isHeard({ status }: Pick<WebhookDelivery, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
