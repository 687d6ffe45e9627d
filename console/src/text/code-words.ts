import type { ManagedOrder, Payment, OrderPatch, StoreEventType, WebhookDelivery, Printer } from '#sdk';
import { t } from './t.js';
import type { Permission } from '../data/session.js';

/** How a guest gets an order. */
export const SERVICE_WORDS: Readonly<Record<NonNullable<ManagedOrder['service']>, string>> = {
  dine_in: t('dine_in'),
  pickup: t('pick_up'),
  delivery: t('delivery_service'),
};

/** How an order is paid. */
export const METHOD_WORDS: Readonly<Record<Payment['method'], string>> = {
  cash: t('cash'),
  card: t('card'),
  online: t('online'),
  voucher: t('voucher'),
  other: t('other_method'),
};

export type Reason = NonNullable<OrderPatch['reason']>;

/** Why a store rejects or cancels an order. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  out_of_item: t('something_is_sold_out'),
  too_busy: t('too_busy'),
  closing: t('closing_the_shop'),
  problem_in_kitchen: t('problem_in_the_kitchen'),
  not_accepted: t('not_accepted_in_time'),
  other: t('another_reason'),
};

/** Those that a person chooses from: the service itself gives the other one. */
export const CHOSEN_REASONS: readonly Reason[] = [
  'out_of_item',
  'too_busy',
  'closing',
  'problem_in_kitchen',
  'other',
];

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

/** What each permission allows, for the one who grants it. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  read: t('see_stores_menus_and_orders'),
  'kitchen:read': t('see_the_same_but_no_takings'),
  'pickup:read': t('see_the_numbers_of_the_pickup_screen'),
  'menu:write': t('publish_menus_check_them_restore_versions'),
  'stock:write': t('mark_items_sold_out_and_back_in'),
  'orders:write': t('take_orders_in_and_move_them_along'),
  'webhooks:write': t('set_up_webhooks_for_its_stores'),
  'store:write': t('change_its_stores_details_hours_places_settings'),
  'keys:write': t('let_colleagues_and_tablets_in'),
};

/** Why a printer prints nothing. */
export const TROUBLE_WORDS: Readonly<Record<NonNullable<Printer['trouble']>, string>> = {
  offline: t('printer_offline'),
  paper_out: t('printer_paper_out'),
  cover_open: t('printer_cover_open'),
  error: t('printer_error'),
};
