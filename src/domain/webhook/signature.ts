import { createHmac, randomBytes } from 'node:crypto';

/** What Standard Webhooks calls a symmetric secret: this prefix, and the key in base64. */
const PREFIX = 'whsec_';
const KEY_BYTES = 32;

export function createSigningSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64');
}

export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
}

/** The value of `webhook-signature`: one signature per secret, so that a receiver may hold either while one replaces the other. */
export function signMessage(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
    })
    .join(' ');
}
