import { toDateTime, toList, toText } from '../../text/format.js';
import { EVENT_WORDS, METHOD_WORDS, PERMISSION_WORDS, SERVICE_WORDS } from '../../text/code-words.js';
import { locale, t } from '../../text/t.js';

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
  'photo.set': t('audit_photo_set'),
  'photo.removed': t('audit_photo_removed'),
  'printer.created': t('audit_printer_created'),
  'printer.changed': t('audit_printer_changed'),
  'printer.rotated': t('audit_printer_rotated'),
  'printer.deleted': t('audit_printer_deleted'),
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

/** What was changed, as the forms call it. One that is not here is shown by its name in the API. */
const MEMBERS: Readonly<Record<string, string>> = {
  accept: t('accepting_orders'),
  address_line_1: t('address'),
  address_line_2: t('address_second_line'),
  address_line_3: t('address_third_line'),
  admin_area: t('region'),
  after: t('from_date'),
  ahead_days: t('days_ahead_that_orders_are_taken'),
  amount: t('amount'),
  at: t('audit_when'),
  auto: t('accept_new_orders_as_they_arrive'),
  brand_name: t('name'),
  busy: t('busy'),
  capacity: t('how_much_the_kitchen_takes'),
  city: t('city'),
  columns: t('paper_columns'),
  contacts: t('contacts'),
  copies: t('paper_copies'),
  country: t('country'),
  currency: t('currency'),
  customer_days: t('keep_customers_for_days'),
  enabled: t('guests_can_order_with_the_qr'),
  expires_at: t('works_until'),
  external_id: t('your_reference'),
  extra_minutes: t('more_minutes'),
  guest: t('guests'),
  host: t('address'),
  hours: t('hours_of_opening'),
  in_pos_within_minutes: t('call_someone_when_an_order_is'),
  in_stock: t('in_stock'),
  include_order: t('send_the_whole_order_along_with'),
  items: t('items'),
  kind: t('kind'),
  label: t('name'),
  location_name: t('place_of_a_store'),
  method: t('payment'),
  name: t('name'),
  note: t('note'),
  number: t('order_noun'),
  on: t('paper_when'),
  order_days: t('keep_orders_for_days'),
  order_ids: t('orders'),
  orders: t('orders'),
  orders_checked: t('check_every_order_against_the_menu'),
  pause: t('paused'),
  permissions: t('what_it_may_do'),
  phone: t('phone'),
  phone_numbers: t('more_phone_numbers'),
  photo: t('photo'),
  postal_code: t('postal_code'),
  prep_minutes: t('minutes_an_order_takes_at_least'),
  prep_type: t('station'),
  prep_types: t('station'),
  print_within_minutes: t('call_someone_when_a_ticket_is'),
  prints: t('paper_prints'),
  protocol: t('paper_connection'),
  ready_when_done: t('ready_when_every_station_is_done'),
  restored_from: t('from_date'),
  services: t('service'),
  skip_own: t('leave_out_what_was_done_with'),
  small: t('photo'),
  slot_minutes: t('count_orders_in_slots_of'),
  special_days: t('special_days'),
  state: t('status'),
  status: t('status'),
  store_ids: t('stores'),
  store_phone: t('phone'),
  stores: t('stores'),
  timezone: t('timezone'),
  to: t('address'),
  types: t('told_of'),
  until: t('until'),
  version: t('version'),
  welcome: t('welcome'),
};

export function memberWord(name: string): string {
  return MEMBERS[name] ?? name;
}

const VALUES: Readonly<Record<string, string>> = {
  ...METHOD_WORDS,
  ...SERVICE_WORDS,
  ...PERMISSION_WORDS,
  ...EVENT_WORDS,
  accepted: t('paper_once_accepted'),
  active: t('active'),
  bridge: t('paper_bridge'),
  cloudprnt: t('paper_star'),
  created: t('paper_at_once'),
  here: t('move_here'),
  kitchen: t('paper_kitchen'),
  moved: t('move_moved'),
  receipt: t('paper_receipt'),
  refusing: t('move_refusing'),
  table: t('table'),
  disabled: t('disabled'),
  epson: t('paper_epson'),
};

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Ids say nothing to a reader. */
export function isTold(name: string): boolean {
  return name !== 'id' && name !== 'publication_id';
}

/** A value as a person reads it: parts of it by their names, texts in the language of the staff. */
export function valueWord(value: unknown, timezone: string): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? t('yes_inline') : t('no');
  if (typeof value === 'number') return new Intl.NumberFormat(locale()).format(value);
  if (typeof value === 'string')
    return MOMENT.test(value) ? toDateTime(value, timezone) : (VALUES[value] ?? value);
  if (Array.isArray(value)) return toList(value.map((one) => valueWord(one, timezone)));
  const { characters, translations, width, height, ...parts } = value as Record<string, unknown>;
  if (typeof width === 'number' && typeof height === 'number') return `${width} × ${height}`;
  if (typeof characters === 'number') return t('audit_long_value', { count: characters });
  if (isTexts(translations)) return toText({ translations });
  return Object.entries(parts)
    .filter(([name]) => isTold(name))
    .map(([name, part]) => `${memberWord(name)}: ${valueWord(part, timezone)}`)
    .join('; ');
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null;
}
