import type { Key } from '#sdk';
import { PERMISSION_WORDS } from '../../../text/code-words.js';
import { t } from '../../../text/t.js';
import { isOperator, may, ownKey, type Permission } from '../../../data/session.js';

type RoleName = 'kitchen' | 'front' | 'manager' | 'screen';

interface Role {
  readonly label: string;
  readonly words: string;
  readonly permissions: readonly Permission[];
}

const STAFF = ['read', 'orders:write', 'stock:write'] as const;

/** What staff are let in for; a key may do what its role says, and never more than whoever made it. */
const ROLES: Readonly<Record<RoleName, Role>> = {
  kitchen: {
    label: t('kitchen'),
    words: t('works_on_orders_pauses_the_store'),
    permissions: ['kitchen:read', 'orders:write', 'stock:write'],
  },
  front: { label: t('front_role'), words: t('the_same_for_the_counter_and'), permissions: STAFF },
  manager: {
    label: t('manager'),
    words: t('also_menus_store_details_hours_and_webhooks'),
    permissions: [...STAFF, 'menu:write', 'webhooks:write', 'store:write'],
  },
  screen: {
    label: t('pickup_screen'),
    words: t('numbers_for_a_television'),
    permissions: ['pickup:read'],
  },
};

/** The roles that the own key can give: one that would come out no stronger than another is not offered. */
export function offeredRoles(): readonly (Role & { readonly name: RoleName })[] {
  return (Object.keys(ROLES) as RoleName[])
    .map((name) => ({ name, ...ROLES[name], permissions: ROLES[name].permissions.filter(may) }))
    .filter(
      ({ name, permissions }) =>
        name !== 'manager' || permissions.some((one) => !STAFF.some((two) => one === two)),
    );
}

/** What an assistant may be let do beside reading. */
export const RIGHTS_OF_ASSISTANTS = (['stock:write', 'orders:write', 'menu:write'] as const).map(
  (permission) => [permission, PERMISSION_WORDS[permission]] as const,
);

/** `Kitchen`, `Front`, `Manager`; what fits no role is told by what it can do beside reading. */
export function describeRole({ permissions }: Pick<Key, 'permissions'>): string {
  const { kitchen, screen } = ROLES;
  for (const role of [kitchen, screen])
    if (String([...permissions].sort()) === String([...role.permissions].sort())) return role.label;
  const extra = permissions.filter((one) => !STAFF.some((two) => one === two));
  const isStaff = STAFF.every((one) => permissions.includes(one));
  if (isStaff && extra.length === 0) return ROLES.front.label;
  if (isStaff && extra.every((one) => ROLES.manager.permissions.includes(one))) return t('manager');
  if (permissions.includes('keys:write')) return t('owner');
  return permissions.every((one) => one === 'read') ? t('looks_only') : t('own_set_of_rights');
}

/** Whether the own key may change this one: it reaches no further, and is another. */
export function mayManage({ id, permissions, store_ids: storeIds }: Key): boolean {
  const own = ownKey();
  if (own === undefined || own.id === id) return false;
  if (isOperator()) return true;
  const { store_ids: reach } = own;
  return (
    permissions.every(may) &&
    (reach === undefined || (storeIds?.every((one) => reach.includes(one)) ?? false))
  );
}

/** None ticked stands for all that the own key reaches; undefined is every store of the merchant. */
export function chosenStores(data: FormData): string[] | undefined {
  const ticked = data.getAll('store').map(String);
  if (ticked.length > 0) return ticked;
  const own = ownKey()?.store_ids;
  return own && [...own];
}
