import type { SendError } from '../domain/webhook/send-outcome.js';
import { AddressNotAllowed, NameNotResolved } from './vetted-lookup.js';

export class ConnectTimeout extends Error {}
export class WholeTimeout extends Error {}

/** One word for a failure, for people and for counting; `reason` is for whoever runs the service alone. */
export function classifyError(error: unknown): { error: SendError; reason: string } {
  return { error: classOf(error), reason: error instanceof Error ? error.message : String(error) };
}

/** undefined for a success. */
export function classifyStatus(status: number): SendError | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return 'redirect';
  return status >= 400 && status < 500 ? 'client_error' : 'server_error';
}

function classOf(error: unknown): SendError {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed';
  if (error instanceof NameNotResolved) return 'name_not_resolved';
  if (error instanceof ConnectTimeout) return 'connect_timeout';
  if (error instanceof WholeTimeout) return 'timeout';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_closed';
  if (code.startsWith('HPE_')) return 'bad_answer';
  if (TLS_CODE.test(code)) return 'tls';
  return 'connection_failed';
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO)/;
