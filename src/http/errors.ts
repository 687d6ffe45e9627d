import { Type } from '../support/shape/type.js';
import {
  AmountOutdated,
  Overloaded,
  Conflict,
  DatabaseUnavailable,
  DiskFull,
  EventsGone,
  Forbidden,
  ClientDisconnected,
  MerchantMoved,
  MerchantMoving,
  NotFound,
  PreconditionFailed,
  QuotaExceeded,
  TooManyRequests,
  Unauthenticated,
} from '../support/errors.js';
import { ValidationFailed } from '../support/error-details.js';
import { json, jsonText, withHeaders, type Response, type RawHeaders } from './response.js';
import type { ResponseSpec } from './route.js';
import { MapOf, NamedShape } from '../support/shape/common-shapes.js';

/** An HTTP-level error: body too large, unsupported type, slow client. */
export class HttpRefusal extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly headers: RawHeaders = [],
  ) {
    super(detail);
  }
}

/** Maps every error that a client may see to a response; all others become a 500. */
export function toErrorResponse(error: unknown): Response {
  if (error instanceof ValidationFailed) return json({ detail: error.errors }, 422);
  if (error instanceof Unauthenticated) return detailed(401, error, ['www-authenticate', 'APIKey']);
  if (error instanceof Forbidden) return detailed(403, error);
  if (error instanceof MerchantMoving) return detailed(503, error, ['retry-after', '1']);
  if (error instanceof MerchantMoved) return detailed(421, error, ['location', error.to]);
  if (error instanceof NotFound) return detailed(404, error);
  if (error instanceof AmountOutdated)
    return jsonText(`{"detail":${JSON.stringify(error.message)},"${error.of}":${error.present}}`, 409);
  if (error instanceof Conflict) return detailed(409, error);
  if (error instanceof EventsGone) return json({ detail: error.message, cursor: error.cursor }, 410);
  if (error instanceof PreconditionFailed) return detailed(412, error);
  if (error instanceof TooManyRequests)
    return detailed(429, error, ['retry-after', String(error.retryAfterSeconds)]);
  if (error instanceof ClientDisconnected) return detailed(400, error);
  if (error instanceof Overloaded || error instanceof DatabaseUnavailable)
    return detailed(503, error, ['retry-after', '1']);
  if (error instanceof DiskFull) return detailed(503, error, ['retry-after', '10']);
  if (error instanceof QuotaExceeded) return detailed(507, error);
  if (error instanceof HttpRefusal) return detailed(error.status, error, error.headers);
  return json({ detail: 'Internal Server Error' }, 500);
}

function detailed(status: number, error: Error, headers: RawHeaders = []): Response {
  return withHeaders(json({ detail: error.message }, status), headers);
}

const ValidationError = NamedShape('ValidationError', {
  loc: Type.Array(Type.Unsafe<string | number>({ anyOf: [Type.String(), Type.Integer()] }), {
    examples: [['body', 'items', 3, 'price']],
  }),
  msg: Type.String({ examples: ['Input should be a valid integer'] }),
  type: Type.String({ examples: ['int_type'] }),
  input: Type.Optional(
    Type.Unknown({ description: 'The rejected value, if it is short', examples: ['twelve'] }),
  ),
  ctx: Type.Optional(
    MapOf(Type.Unknown(), {
      description: 'Details of the rule, such as its limit',
      examples: [{ ge: 0 }],
    }),
  ),
});

export const HTTPValidationError = NamedShape('HTTPValidationError', {
  detail: Type.Optional(Type.Array(ValidationError)),
});

const Problem = NamedShape('Problem', { detail: Type.String({ examples: ['Store not found'] }) });

/** A response of an operation that is an error with a sentence. */
export function problem(status: number, description: string): ResponseSpec {
  return { status, description, schema: Problem };
}
