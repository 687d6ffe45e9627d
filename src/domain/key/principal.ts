import { Forbidden, NotFound } from '../errors.js';

export const PERMISSIONS = ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Who calls. An operator may do everything; a merchant key acts for its merchant, in all its stores or the named ones. */
export type Principal = OperatorPrincipal | MerchantPrincipal;

interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly id: string;
}

interface MerchantPrincipal {
  readonly kind: 'merchant';
  readonly id: string;
  readonly merchantId: string;
  /** undefined: every store of the merchant. */
  readonly storeIds: readonly string[] | undefined;
  readonly permissions: readonly Permission[];
}

/** The stores that someone may see or write to; undefined stands for every one. */
export interface StoreScope {
  readonly merchantId?: string | undefined;
  readonly storeIds?: readonly string[] | undefined;
}

export function scopeOf(principal: Principal): StoreScope {
  if (principal.kind === 'operator') return {};
  return { merchantId: principal.merchantId, storeIds: principal.storeIds };
}

export function maySeeStore(
  principal: Principal,
  store: { readonly id: string; readonly merchantId: string },
): boolean {
  if (principal.kind === 'operator') return true;
  if (principal.merchantId !== store.merchantId) return false;
  return principal.storeIds === undefined || principal.storeIds.includes(store.id);
}

/** The store, if there is one and the caller may see it; the two refusals must look the same. */
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

export function requirePermission(principal: Principal, permission: Permission | 'operator'): void {
  if (principal.kind === 'operator') return;
  if (permission === 'operator') throw new Forbidden('This needs an operator key');
  if (!principal.permissions.includes(permission))
    throw new Forbidden(`This key lacks the permission ${permission}`);
}
