import type { Endpoint } from './endpoint.js';

/** Why a delivery failed, in one word that clients may compare. */
export const SEND_ERRORS = [
  'address_not_allowed',
  'name_not_resolved',
  'connect_timeout',
  'connection_refused',
  'connection_closed',
  'connection_failed',
  'tls',
  'timeout',
  'bad_answer',
  'redirect',
  'client_error',
  'server_error',
] as const;
export type SendError = (typeof SEND_ERRORS)[number];

/** What came of sending an event. Without a status there was no answer. */
export interface SendOutcome {
  readonly status: number | undefined;
  /** undefined where the receiver has taken it. */
  readonly error: SendError | undefined;
  /** For the service's own log: may name addresses that are nobody else's business. */
  readonly reason?: string;
  readonly retryAfterMs?: number | undefined;
  readonly latencyMs: number;
  /** The first 4 KiB of the answer's body. */
  readonly response?: string;
}

/** Sends at once what someone asks for, outside every sequence, and tells what came of it. */
export interface ImmediateSends {
  /** An event that tells nothing but that it arrives. */
  sendTest(endpoint: Endpoint): Promise<SendOutcome>;
  /** An event that the receiver has refused before; once it is taken it is parked no more. */
  sendParked(endpoint: Endpoint, eventId: string): Promise<SendOutcome>;
}
