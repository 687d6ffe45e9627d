import type { Transaction } from '../db/database.js';
import { insertMerchant, updateMerchant } from '../db/merchants.js';
import { NotFound } from '../domain/errors.js';
import type { MerchantCreate, MerchantPatch, MerchantResponse } from '../domain/merchant/shapes.js';
import { newUuidV7 } from '../domain/uuid.js';

export function createMerchant(
  tx: Transaction,
  merchant: MerchantCreate,
  id = newUuidV7(),
): Promise<MerchantResponse> {
  return insertMerchant(tx, id, merchant);
}

export async function changeMerchant(
  tx: Transaction,
  id: string,
  patch: MerchantPatch,
): Promise<MerchantResponse> {
  const merchant = await updateMerchant(tx, id, patch);
  if (merchant === undefined) throw new NotFound('Merchant');
  return merchant;
}
