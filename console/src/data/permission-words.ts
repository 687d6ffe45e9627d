import { t } from '../text/t.js';
import type { Permission } from './session.js';

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
