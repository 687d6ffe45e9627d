import { hash, randomBytes } from 'node:crypto';

const CODE_BYTES = 16;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** A code that opens one thing without a key: 128 random bits, in letters and digits that are hard to confuse. */
export function newCode(): string {
  let rest = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let code = '';
  while (code.length < Math.ceil((CODE_BYTES * 8) / 5)) {
    code += LETTERS.charAt(Number(rest % 32n));
    rest /= 32n;
  }
  return code;
}

/** The hash by which codes and tokens are looked up and compared. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The hashes of codes, as the text of a bytea[]. */
export function hashesOf(codes: readonly string[]): string {
  return `{${codes.map((code) => `"\\\\x${hashOf(code).toString('hex')}"`).join()}}`;
}
