import {
  Conflict,
  DatabaseUnavailable,
  Forbidden,
  NotFound,
  PreconditionFailed,
  TooManyRequests,
  Unauthenticated,
} from '../domain/errors.js';
import { ValidationFailed } from '../domain/faults.js';

/** A refusal that only HTTP knows: a body too large, a type not understood, a client too slow. */
export class HttpRefusal extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
  }
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: { readonly detail: unknown };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every error that a client may see, and the one answer for all that it may not. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof ValidationFailed) return { status: 422, body: { detail: error.faults } };
  if (error instanceof Unauthenticated) return detailed(401, error, { 'www-authenticate': 'APIKey' });
  if (error instanceof Forbidden) return detailed(403, error);
  if (error instanceof NotFound) return detailed(404, error);
  if (error instanceof Conflict) return detailed(409, error);
  if (error instanceof PreconditionFailed) return detailed(412, error);
  if (error instanceof TooManyRequests)
    return detailed(429, error, { 'retry-after': String(error.retryAfterSeconds) });
  if (error instanceof DatabaseUnavailable) return detailed(503, error, { 'retry-after': '1' });
  if (error instanceof HttpRefusal) return detailed(error.status, error);
  return fromFramework(error);
}

/** Fastify refuses a few requests by itself; its status is right, its words are not ours. */
function fromFramework(error: unknown): ErrorAnswer {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { status: 415, body: { detail: 'Unsupported Media Type' } };
  if (code === 'FST_ERR_BAD_URL') return { status: 404, body: { detail: 'Not Found' } };
  return { status: 500, body: { detail: 'Internal Server Error' } };
}

function detailed(status: number, error: Error, headers?: Record<string, string>): ErrorAnswer {
  return { status, body: { detail: error.message }, ...(headers === undefined ? {} : { headers }) };
}
