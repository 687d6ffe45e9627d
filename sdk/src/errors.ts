import type { ValidationError as ErrorDetail } from './generated/types.js';

/** Any error of this library. */
export class ComandaError extends Error {
  override readonly name: string = 'ComandaError';
}

/** There was no complete response: the service is unreachable, or the connection broke. */
export class ConnectionError extends ComandaError {
  override readonly name = 'ConnectionError';
}

/** There was no response in time. */
export class TimeoutError extends ComandaError {
  override readonly name = 'TimeoutError';
}

export interface Refusal {
  readonly status: number;
  /** The `detail` of the response: a string, or for 422 the list of errors. */
  readonly detail: unknown;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The cursor to continue from, for 410. */
  readonly cursor: string | undefined;
}

/** The service sent an error response. */
export class ApiError extends ComandaError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly detail: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(describe(refusal));
    this.status = refusal.status;
    this.detail = refusal.detail;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key may see this, but not do it. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: the resource does not exist, or the key may not see it. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: the current state does not allow it, such as an order that cannot change to this status. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 410: the events after a cursor are no longer kept. Read the orders again, then go on from `cursor`. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
  readonly cursor: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.cursor = refusal.cursor;
  }
}

/** 412: someone else has published since you read the menu. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}

/** 421: the merchant has moved to another installation; the detail names its address. */
export class MovedError extends ApiError {
  override readonly name = 'MovedError';
}

/** 422: the request is invalid; each entry names its place. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';

  get errors(): readonly ErrorDetail[] {
    return Array.isArray(this.detail) ? (this.detail as ErrorDetail[]) : [];
  }
}

/** 429: more requests than the limit allows. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
}

/** 503: the service cannot reach its database at the moment, or the merchant is being moved. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError';
}

const CLASSES: Readonly<Record<number, new (refusal: Refusal) => ApiError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  421: MovedError,
  422: ValidationError,
  429: TooManyRequestsError,
  503: UnavailableError,
};

export function toApiError(refusal: Refusal): ApiError {
  return new (CLASSES[refusal.status] ?? ApiError)(refusal);
}

function describe({ status, detail }: Refusal): string {
  if (typeof detail === 'string') return `${status} ${detail}`.trimEnd();
  if (!Array.isArray(detail) || detail.length === 0) return String(status);
  const { loc, msg } = detail[0] as ErrorDetail;
  const more = detail.length === 1 ? '' : ` (and ${detail.length - 1} more)`;
  return `${status} ${loc.join('.')}: ${msg}${more}`;
}
