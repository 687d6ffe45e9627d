import type { Permission } from '../../session.js';

/** What each permission allows, for the one who grants it. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  read: 'See stores, menus and orders',
  'menu:write': 'Publish menus, check them, restore versions',
  'stock:write': 'Mark items sold out and back in',
  'orders:write': 'Take orders in and move them along',
  'webhooks:write': 'Set up webhooks for its stores',
};
