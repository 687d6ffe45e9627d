import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Endpoint } from './shapes.js';

/** Encrypts secrets, so that the database alone reveals nothing. */
export interface SecretBox {
  /** Identifies the key without revealing it. */
  readonly id: string;
  /** `place` is what the secret belongs to: ciphertext that was moved elsewhere does not decrypt. */
  seal(text: string, place: string): Buffer;
  open(sealed: Uint8Array, place: string): string;
  /** What nobody without the key can say about the text. */
  sign(text: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `key` is any text with enough randomness in it. */
export function createSecretBox(key: string): SecretBox {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `comanda ${purpose}`, bytes));
  const cipherKey = derive('sealed secrets', 32);
  const signingKey = derive('signatures', 32);
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
    sign: (text) => createHmac('sha256', signingKey).update(text).digest('hex'),
  };
}

/** Where the installation's box of secrets comes from. */
export interface SecretKeeper {
  /** undefined while nothing has ever been sealed. */
  present(): Promise<SecretBox | undefined>;
  /** Creates the key if there is none. */
  provide(): Promise<SecretBox>;
}

/** The signing secrets of an endpoint, newest first. */
export function openSecrets(box: SecretBox, { id, secret, old_secret: oldSecret }: Endpoint): string[] {
  return [secret, oldSecret].filter((sealed) => sealed !== undefined).map((sealed) => box.open(sealed, id));
}

/** What Standard Webhooks calls a symmetric secret: this prefix, and the key in base64. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function createSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The value of `webhook-signature`: one signature per secret, so that a receiver may hold either while one replaces the other.
 * `timestamp` is in seconds.
 */
export function signMessage(
  secrets: readonly string[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
    })
    .join(' ');
}
