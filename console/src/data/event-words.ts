import type { StoreEventType, WebhookDelivery } from '#sdk';
import { t } from '../text/t.js';

/** What an endpoint can be told of. */
export const EVENT_WORDS: Readonly<Record<StoreEventType, string>> = {
  'order.created': t('a_new_order'),
  'order.status_changed': t('an_order_that_moves_on'),
  'order.updated': t('another_change_of_an_order'),
  'order.attention': t('an_order_that_needs_attention'),
  'orders.imported': t('imported_orders'),
  'menu.published': t('a_published_menu'),
  'menu.stock_changed': t('sold_out_and_back_in'),
  'menu.publication_refused': t('a_menu_for_several_stores_that'),
  'store.updated': t('a_change_of_a_store'),
  'store.intake_changed': t('a_pause_busy_time_or_new'),
  'printer.trouble': t('a_printer_has_trouble'),
  'printer.recovered': t('a_printer_works_again'),
};

/** How an attempt to send ended, in a word or two. */
export function toOutcome({ status, error }: Pick<WebhookDelivery, 'status' | 'error'>): string {
  return status === undefined
    ? (error?.replaceAll('_', ' ') ?? t('no_answer'))
    : t('status_inline', { status: String(status) });
}

export function isHeard({ status }: Pick<WebhookDelivery, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
