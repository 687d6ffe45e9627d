import { randomBytes } from 'node:crypto';

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
