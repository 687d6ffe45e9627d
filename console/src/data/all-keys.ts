import type { Key, MerchantResponse } from '#sdk';
import { client } from './session.js';

/** Every key, however many there are. */
export function listAllKeys(signal: AbortSignal): Promise<Key[]> {
  return all(client.iterateKeys({}, { signal }));
}

/** Every merchant, however many there are. */
export function listAllMerchants(signal: AbortSignal): Promise<MerchantResponse[]> {
  return all(client.iterateMerchants({ signal }));
}

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of found) list.push(one);
  return list;
}

/** Whether the key still signs in. */
export function isAlive({ revoked_at: revoked, expires_at: expires }: Key): boolean {
  return revoked === undefined && (expires === undefined || Date.parse(expires) > Date.now());
}
