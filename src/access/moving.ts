import { MerchantMoved, MerchantMoving } from '../support/errors.js';
import type { RequestedStore } from './api-key-lookup.sql.js';
import { maySeeStore, type Principal } from './principal.js';

/** A merchant that leaves: it can be read, but not changed. */
export const REFUSING = 'refusing';
/** A merchant that is being copied to this installation: it is of no use yet. */
export const ARRIVING = 'arriving';

export function isMoving(principal: Principal): boolean {
  return principal.kind === 'merchant' && principal.moving !== undefined;
}

/** Refuses what a merchant that moves cannot do here. Any other value of `moving` is the address that it has moved to. */
export function refuseMoving(moving: string | undefined, isWrite: boolean): void {
  if (moving === undefined || (moving === REFUSING && !isWrite)) return;
  throw moving === REFUSING || moving === ARRIVING ? new MerchantMoving() : new MerchantMoved(moving);
}

/** The same for a caller and the store that it names, unless that is none of its business. */
export function refuseMovingCaller(
  principal: Principal,
  store: Pick<RequestedStore, 'id' | 'merchantId' | 'moving'> | undefined,
  isWrite: boolean,
): void {
  if (principal.kind === 'merchant') refuseMoving(principal.moving, isWrite);
  if (store?.moving !== undefined && maySeeStore(principal, store)) refuseMoving(store.moving, isWrite);
}
