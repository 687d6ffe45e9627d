import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A secret is comanda_<43 characters for 32 random bytes><6 for a checksum>: easy to find in a leak, cheap to reject. In a
 * cell other than 0 it starts with the cell number, comanda_7_..., so that a proxy can route it.
 */
const PREFIX = 'comanda_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}(?:[1-9][0-9]{0,3}_)?[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function createSecret(cell: number): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH);
  return `${PREFIX}${cell === 0 ? '' : `${cell}_`}${random}${checksum(random)}`;
}

/** Detects mistyped or made-up keys without a query. */
export function isWellFormedSecret(text: string): boolean {
  if (!FORM.test(text)) return false;
  const random = text.slice(-RANDOM_LENGTH - CHECKSUM_LENGTH, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(random));
}

/** The hash by which keys, codes and tokens are looked up and compared. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function lastFour(secret: string): string {
  return secret.slice(-4);
}

/** Plain number arithmetic, because it runs on every request. */
function checksum(random: string): string {
  let text = '';
  for (let rest = crc32(random); text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62)) {
    text = ALPHABET.charAt(rest % 62) + text;
  }
  return text;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}
