import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SealedSecrets } from './endpoint.js';

/** Keeps secrets so that whoever reads the database alone learns nothing. */
export interface SecretBox {
  /** Tells boxes with different keys apart, and nothing about the key. */
  readonly id: string;
  /** `place` is what the secret belongs to: sealed text that was moved elsewhere does not open. */
  seal(text: string, place: string): Buffer;
  open(sealed: Uint8Array, place: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `key` is any text with enough randomness in it. */
export function createSecretBox(key: string): SecretBox {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `comanda ${purpose}`, bytes));
  const cipherKey = derive('sealed secrets', 32);
  return {
    id: derive('name of the key', 8).toString('hex'),
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      return (
        decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}

/** Where the installation's box of secrets comes from. */
export interface SecretKeeper {
  /** undefined while nothing has ever been sealed. */
  present(): Promise<SecretBox | undefined>;
  /** Makes one where there is none. */
  provide(): Promise<SecretBox>;
}

/** What the endpoint's messages are signed with, the newest first. */
export function openSecrets(
  box: SecretBox,
  endpointId: string,
  { secret, oldSecret }: SealedSecrets,
): string[] {
  return [secret, oldSecret]
    .filter((sealed) => sealed !== undefined)
    .map((sealed) => box.open(sealed, endpointId));
}
