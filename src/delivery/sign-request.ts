import type { SendRequest } from '../domain/webhook/sending.js';
import { signMessage } from '../domain/webhook/signature.js';

export interface Message {
  readonly url: string;
  /** The id of the event, the same in every attempt. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** A message as Standard Webhooks wants it, signed for this moment. */
export function signRequest(
  { url, id, body, secrets }: Message,
  userAgent: string,
  now: number,
): SendRequest {
  const timestamp = Math.floor(now / 1_000);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(secrets, { id, timestamp, body }),
    },
  };
}
