import { Forbidden, NotFound } from '../support/errors.js';
import { isResourceId } from '../support/uuid.js';
import { broadestFor, suffices, type Permission, type Requirement } from './permissions.js';

/** The caller. An operator may do everything; a merchant key acts for its merchant, in all its stores or the named ones. */
export type Principal = OperatorPrincipal | MerchantPrincipal;

interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly id: string;
  /** What the key is called. */
  readonly label?: string | undefined;
}

/** A guest has no key, and acts for the merchant in the one store, with no other permission than `guest`. */
interface MerchantPrincipal {
  readonly kind: 'merchant';
  readonly id: string;
  readonly label?: string | undefined;
  readonly merchantId: string;
  /** undefined: every store of the merchant. */
  readonly storeIds: readonly string[] | undefined;
  readonly permissions: readonly (Permission | 'guest')[];
  /** The merchant is on its way to or from another installation: see refuseMoving. */
  readonly moving?: string | undefined;
  /** Where a guest orders; a key has none. */
  readonly place?: Place;
}

/** Where a guest orders, as the order shows it. */
export interface Place {
  readonly id: string;
  readonly label: string;
  readonly kind: PlaceKind;
}

export const PLACE_KINDS = ['table', 'pickup'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** The stores that a caller may see; undefined means all. */
export interface StoreScope {
  readonly merchantId?: string | undefined;
  readonly storeIds?: readonly string[] | undefined;
}

/** No merchant has it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Only of one merchant, where one is named: nothing of one that there is not, or that the caller may not see. */
export function scopeOf(principal: Principal, merchantId?: string): StoreScope {
  const mayExist =
    merchantId === undefined || (isResourceId(merchantId) && maySeeMerchant(principal, merchantId));
  const wanted = mayExist ? merchantId : NOBODY;
  if (principal.kind === 'operator') return { merchantId: wanted };
  return { merchantId: wanted ?? principal.merchantId, storeIds: principal.storeIds };
}

export function maySeeStore(
  principal: Principal,
  store: { readonly id: string; readonly merchantId: string },
): boolean {
  if (principal.kind === 'operator') return true;
  if (principal.merchantId !== store.merchantId) return false;
  return principal.storeIds === undefined || principal.storeIds.includes(store.id);
}

/** Returns the store if it exists and the caller may see it. Both failures must look the same. */
export function requireStore<S extends { readonly id: string; readonly merchantId: string }>(
  principal: Principal,
  store: S | undefined,
): S {
  if (store === undefined || !maySeeStore(principal, store)) throw new NotFound('Store');
  return store;
}

export function maySeeMerchant(principal: Principal, merchantId: string): boolean {
  return principal.kind === 'operator' || principal.merchantId === merchantId;
}

/** A key may not hand out, or take over, more than it has itself. */
export function requireReach(
  principal: Principal,
  { permissions, storeIds }: Pick<MerchantPrincipal, 'permissions' | 'storeIds'>,
): void {
  if (principal.kind === 'operator') return;
  for (const permission of permissions) requirePermission(principal, permission);
  const { storeIds: own } = principal;
  if (own !== undefined && (storeIds === undefined || storeIds.some((id) => !own.includes(id))))
    throw new Forbidden('This key does not reach all of these stores');
}

export function isPermitted(principal: Principal, permission: Requirement): boolean {
  return principal.kind === 'operator' || suffices(principal.permissions, permission);
}

export function requirePermission(principal: Principal, permission: Requirement): void {
  if (principal.kind === 'operator') return;
  if (permission === 'operator') throw new Forbidden('This needs an operator key');
  if (!suffices(principal.permissions, permission))
    throw new Forbidden(`This key lacks the permission ${broadestFor(permission)}`);
}
