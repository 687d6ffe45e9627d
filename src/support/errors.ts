/** Errors of the domain, without HTTP; http/errors.ts maps each to a status. */

/** The resource does not exist or belongs to someone else; callers must not be able to tell which. */
export class NotFound extends Error {
  constructor(resource: string) {
    super(`${resource} not found`);
  }
}

/** Returns what was looked up; throws if it is not there. */
export function requireFound<T>(found: T | undefined, resource: string): T {
  if (found === undefined) throw new NotFound(resource);
  return found;
}

/** The merchant is moving to another installation: nothing of it can be changed until it has arrived. Clocks pass it over like what is gone. */
export class MerchantMoving extends NotFound {
  override readonly message = 'The merchant is moving to another installation. Try again in a moment.';

  constructor() {
    super('Merchant');
  }
}

/** The merchant has moved; `to` is the address where it is now. */
export class MerchantMoved extends Error {
  constructor(readonly to: string) {
    super(`The merchant has moved to ${to}`);
  }
}

/** The key may see the resource but lacks the permission for this. */
export class Forbidden extends Error {}

const NO_ENTRY = {
  missing: 'Not authenticated',
  invalid: 'Invalid API key',
  'session over': 'The session has ended. Sign in again.',
  'code used': 'This code has already been used or has expired',
} as const;

/** The key, or the session of a browser, is missing or invalid. */
export class Unauthenticated extends Error {
  constructor(readonly reason: keyof typeof NO_ENTRY) {
    super(NO_ENTRY[reason]);
  }
}

/** The request is well-formed but contradicts the present state. */
export class Conflict extends Error {}

/** An amount differs from the one that the caller expected; `present` is the JSON text of what it is now. */
export class AmountOutdated extends Conflict {
  constructor(
    readonly of: 'quote' | 'bill',
    readonly present: string,
  ) {
    super(`The ${of === 'quote' ? 'total of the order' : 'bill'} differs from the expected one`);
  }
}

/** Someone else has changed what the caller believed current. */
export class PreconditionFailed extends Error {}

/** Events after the caller's cursor are no longer kept, or were renumbered; `cursor` is where reading can continue. */
export class EventsGone extends Error {
  constructor(readonly cursor: string) {
    super(
      'Events after this cursor are no longer kept. Read the list of orders again, then continue from the cursor in this response.',
    );
  }
}

/** The rate limit is exceeded; `retryAfterSeconds` says when the next request is allowed. */
export class TooManyRequests extends Error {
  constructor(
    readonly retryAfterSeconds: number,
    message = 'Too Many Requests',
  ) {
    super(message);
  }
}

/** The database cannot be reached, is too busy to answer in time, or its schema is not ready yet. */
export class DatabaseUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('The database is not available', options);
  }
}

/** The database responds but is unusable until the operator does what `remedy` says. Retrying does not help. */
export class DatabaseMisconfigured extends DatabaseUnavailable {
  constructor(
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(options);
  }
}

/** A newer version of the service has migrated the database, and this one can no longer work on it. */
export class NewerSchema extends DatabaseMisconfigured {
  override readonly message: string;

  constructor(newest: number, known: number, options: ErrorOptions = {}) {
    super(
      `The database has the newer schema ${newest}, and this version of the service knows only ${known}: end this process, ` +
        'and run the version that migrated it.',
      options,
    );
    this.message = `The database has a newer schema (${newest}) than this replica knows (${known})`;
  }
}

/** The service is too busy, or this would take too long now. A retry may succeed. */
export class Overloaded extends Error {
  constructor(message = 'The service is overloaded. Try again.') {
    super(message);
  }
}

/** The client disconnected before its work began, so there is nobody to respond to. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client disconnected');
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The database disk is full. Nothing was written; reads still work. */
export class DiskFull extends Error {
  constructor(options?: ErrorOptions) {
    super('The database disk is full. Nothing was changed. Try again when there is space.', options);
  }
}

/** What a merchant may keep of this is used up. */
export class QuotaExceeded extends Error {}

/** The search would read too many orders, however idle the database is. */
export class SearchTooBroad extends Error {
  constructor(readonly by: 'name' | 'phone') {
    super('This search would read too many orders. Narrow it.');
  }
}

/** Start-up failed; the message tells the operator what to do. */
export class StartupError extends Error {}
