import type { Key } from '#sdk';
import { client } from './client.js';

/** Every key, however many there are. */
export async function listAllKeys(signal: AbortSignal): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const key of client.iterateKeys({}, { signal })) keys.push(key);
  return keys;
}
