import { t } from '../../text/t.js';

/** What was done, by the type of the entry. A type that is not here is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  'merchant.created': t('audit_merchant_created'),
  'merchant.changed': t('audit_merchant_changed'),
  'merchant.deleted': t('audit_merchant_deleted'),
  'merchant.move_changed': t('audit_merchant_move_changed'),
  'merchant.move_given_up': t('audit_merchant_move_given_up'),
  'merchant.archived': t('audit_merchant_archived'),
  'merchant.restored': t('audit_merchant_restored'),
  'store.created': t('audit_store_created'),
  'store.changed': t('audit_store_changed'),
  'store.deleted': t('audit_store_deleted'),
  'key.issued': t('audit_key_issued'),
  'key.changed': t('audit_key_changed'),
  'key.rotated': t('audit_key_rotated'),
  'key.revoked': t('audit_key_revoked'),
  'key.sign_in_link_made': t('audit_key_sign_in_link_made'),
  'key.signed_in': t('audit_key_signed_in'),
  'intake.changed': t('audit_intake_changed'),
  'menu.published': t('audit_menu_published'),
  'publication.scheduled': t('audit_publication_scheduled'),
  'publication.cancelled': t('audit_publication_cancelled'),
  'stock.marked': t('audit_stock_marked'),
  'stock.mark_ended': t('audit_stock_mark_ended'),
  'place.created': t('audit_place_created'),
  'place.changed': t('audit_place_changed'),
  'place.rotated': t('audit_place_rotated'),
  'place.deleted': t('audit_place_deleted'),
  'webhook.created': t('audit_webhook_created'),
  'webhook.changed': t('audit_webhook_changed'),
  'webhook.removed': t('audit_webhook_removed'),
  'webhook.secret_rotated': t('audit_webhook_secret_rotated'),
  'webhook.replayed': t('audit_webhook_replayed'),
  'payment.recorded': t('audit_payment_recorded'),
  'bill.settled': t('audit_bill_settled'),
  'customers.erased': t('audit_customers_erased'),
  'customer.exported': t('audit_customer_exported'),
  'orders.exported': t('audit_orders_exported'),
  'orders.removed': t('audit_orders_removed'),
  'backup.taken': t('audit_backup_taken'),
  'backup.restored': t('audit_backup_restored'),
};

export function auditWord(type: string): string {
  return WORDS[type] ?? type;
}
