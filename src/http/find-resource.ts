import { getMerchant } from '../db/merchants.js';
import type { ReadOrder, ReadOrderById } from '../db/orders/read-orders.js';
import { NotFound } from '../domain/errors.js';
import { maySeeMerchant, maySeeStore } from '../domain/key/principal.js';
import type { MerchantResponse } from '../domain/merchant/shapes.js';
import { isResourceId } from '../domain/uuid.js';
import type { Call } from './route.js';

/** Finds the merchant that a path names. */
export async function findMerchant(
  { db, principal }: Pick<Call, 'db' | 'principal'>,
  id: string,
): Promise<MerchantResponse> {
  const mayLook = isResourceId(id) && maySeeMerchant(principal, id);
  const merchant = mayLook ? await getMerchant(db, id) : undefined;
  if (merchant === undefined) throw new NotFound('Merchant');
  return merchant;
}

/**
 * Finds the order that a path names. Its store was found with the key (`orderParam`): an order that the key may not see is
 * not even looked for, and so takes exactly as long as one that does not exist.
 */
export async function findOrder(readOrder: ReadOrderById, call: Call, id: string): Promise<ReadOrder> {
  const { principal, store, expected } = call;
  const order =
    store !== undefined && maySeeStore(principal, store) ? await readOrder(store, id, expected) : undefined;
  if (order === undefined) throw new NotFound('Order');
  return order;
}
