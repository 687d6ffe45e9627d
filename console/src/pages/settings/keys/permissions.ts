import { t } from '../../../text/t.js';
import type { Permission } from '../../../data/session.js';

/** What each permission allows, for the one who grants it. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  read: t('See stores, menus and orders'),
  'menu:write': t('Publish menus, check them, restore versions'),
  'stock:write': t('Mark items sold out and back in'),
  'orders:write': t('Take orders in and move them along'),
  'webhooks:write': t('Set up webhooks for its stores'),
  'store:write': t('Change its stores: details, hours, places, settings'),
  'keys:write': t('Let colleagues and tablets in'),
};
