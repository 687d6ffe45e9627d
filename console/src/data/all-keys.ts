import type { Key, MerchantResponse } from '#sdk';
import { client } from './client.js';

/** Every key, however many there are. */
export async function listAllKeys(signal: AbortSignal): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const key of client.iterateKeys({}, { signal })) keys.push(key);
  return keys;
}

/** Every merchant, however many there are. */
export async function listAllMerchants(signal: AbortSignal): Promise<MerchantResponse[]> {
  const merchants: MerchantResponse[] = [];
  for await (const merchant of client.iterateMerchants({ signal })) merchants.push(merchant);
  return merchants;
}
