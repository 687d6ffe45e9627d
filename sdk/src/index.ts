export { createClient } from './client.js';
export type { Client, ClientOptions, OperationsWithAnswers, RawRequest } from './client.js';
export type { Answer, ByteStream, CallOptions, Lines, Method, StreamedBody } from './call.js';
export type { EventsOptions } from './events.js';
export type { StoreEvent, StoreEventType, WebhookEvent } from './event-types.js';
export { createJsonLocator } from './json-locator.js';
export type { OrderFilter } from './paging.js';
export {
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookHeaders,
} from './webhooks.js';
export {
  ApiError,
  AuthenticationError,
  ComandaError,
  ConflictError,
  ConnectionError,
  GoneError,
  NotFoundError,
  MovedError,
  PermissionError,
  PreconditionFailedError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
  ValidationError,
} from './errors.js';
export { VALUES } from './generated/values.js';
export type * from './generated/operations.js';
export type * from './generated/types.js';
export type { ValidationError as ErrorDetail } from './generated/types.js';
