import { ComandaError } from './errors.js';
import type { WebhookEvent } from './event-types.js';

/** The request is not from the service, or too old: respond with 400 and ignore it. */
export class WebhookVerificationError extends ComandaError {
  override readonly name = 'WebhookVerificationError';
}

/** Headers of fetch or of Node's http. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Tolerance for clock skew and delivery time, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 5 * 60;
/** A rotation signs with two. Far more are an attempt to waste time. */
const MOST_SIGNATURES = 16;

/**
 * Checks that a webhook is recent and was signed with the secret, or one of several, and returns its event. Pass the raw
 * body, byte for byte.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  checkAge(timestamp, toleranceSeconds);
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  const signed = signedBytes(id, timestamp, body);
  for (const one of [secret].flat()) {
    const key = await importSecret(one, 'verify');
    // subtle.verify compares in constant time.
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parse(body);
  }
  throw new WebhookVerificationError("No signature matches; check the webhook's secret");
}

/** Returns the three headers of a delivery, to test a receiver without the service. */
export async function signWebhook(
  body: string | Uint8Array,
  { id, timestamp, secret }: { readonly id: string; readonly timestamp: Date; readonly secret: string },
): Promise<Record<string, string>> {
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const key = await importSecret(secret, 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, signedBytes(id, seconds, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : ownHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The ${name} header is missing`);
}

function ownHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): unknown {
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : headers[found];
}

function checkAge(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The webhook-timestamp header is not a number of seconds');
  const age = Date.now() / 1000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError('The webhook is too old');
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError('The timestamp of the webhook is in the future; check the clock');
}

/** The signatures of version 1. Anything that is not base64 is skipped. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((part) => (part.startsWith('v1,') ? (fromBase64(part.slice(3)) ?? []) : []));
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importSecret(secret: string, use: 'sign' | 'verify'): Promise<HmacKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new ComandaError('The secret must be whsec_ followed by base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const lead = encoder.encode(`${id}.${timestamp}.`);
  const rest = typeof body === 'string' ? encoder.encode(body) : body;
  const all = new Uint8Array(lead.length + rest.length);
  all.set(lead);
  all.set(rest, lead.length);
  return all;
}

function parse(body: string | Uint8Array): WebhookEvent {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent;
}
