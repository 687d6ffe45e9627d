import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../access/secret.js';
import { storeKeyOfOrder } from '../orders/id.js';

const SEED_BYTES = 32;

export function newTokenSeed(): Buffer {
  return randomBytes(SEED_BYTES);
}

const ID_BYTES = 16;
const PROOF_BYTES = 16;
const TOKEN = /^[\w-]{43}$/;

/**
 * The token of a guest's order: its id, and 128 bits that nobody can guess. They are made from the Idempotency-Key of the
 * request, so that repeating a request whose response was lost gets the same token although only its hash is kept.
 */
export function tokenOf(orderId: string, seed: Buffer, clientKey: string): string {
  const proof = createHmac('sha256', seed).update(`${orderId} ${clientKey}`).digest();
  const id = Buffer.from(orderId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, proof.subarray(0, PROOF_BYTES)]).toString('base64url');
}

/** The order that a token names, if it may be one; whether it is, only its hash can tell. */
export function orderOfToken(token: string) {
  if (!TOKEN.test(token)) return undefined;
  const hex = Buffer.from(token, 'base64url').subarray(0, ID_BYTES).toString('hex');
  const orderId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const storeKey = storeKeyOfOrder(orderId);
  return storeKey === undefined ? undefined : { orderId, storeKey };
}

export function matchesToken(token: string, kept: Buffer): boolean {
  return timingSafeEqual(hashSecret(token), kept);
}
