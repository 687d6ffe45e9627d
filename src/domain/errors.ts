/** What can go wrong in the domain, without a word about HTTP; http/errors.ts gives each its status. */

export type ResourceNoun =
  | 'Store'
  | 'Order'
  | 'Merchant'
  | 'Key'
  | 'Menu version'
  | 'Item'
  | 'Modifier item'
  | 'Webhook'
  | 'Parked event';

/** The resource does not exist, or belongs to someone else: the two must look the same. */
export class NotFound extends Error {
  constructor(readonly resource: ResourceNoun) {
    super(`${resource} not found`);
  }
}

/** The key may see the resource but lacks the permission for this. */
export class Forbidden extends Error {}

const NO_ENTRY = {
  missing: 'Not authenticated',
  invalid: 'Invalid API key',
  'session over': 'The session has ended; sign in again',
  'code used': 'This code has been used, or is too old',
} as const;

/** No key was sent, or one that does not hold; the same for what stands in for a key in a browser. */
export class Unauthenticated extends Error {
  constructor(readonly reason: keyof typeof NO_ENTRY) {
    super(NO_ENTRY[reason]);
  }
}

/** The request is well-formed but contradicts the present state. */
export class Conflict extends Error {}

/** The order comes to another sum than its sender expects; `quote` is the JSON text of what it comes to now. */
export class TotalOutdated extends Conflict {
  constructor(readonly quote: string) {
    super('The order comes to another total than expected');
  }
}

/** Someone else has changed what the caller believed current. */
export class PreconditionFailed extends Error {}

/** Events after the caller's cursor are no longer kept, or were numbered anew; `cursor` is where reading can go on. */
export class EventsGone extends Error {
  constructor(readonly cursor: string) {
    super(
      'Events after this cursor are no longer kept. Read the list of orders again, then go on from the cursor given here.',
    );
  }
}

/** More requests than the limit allows; `retryAfterSeconds` tells when the next one will be let through. */
export class TooManyRequests extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('Too Many Requests');
  }
}

/** The database cannot be reached, is too busy to answer in time, or its schema is not ready yet. */
export class DatabaseUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('The database is not available', options);
  }
}

/** The database answers, but cannot be used as it is until the operator does what `remedy` says; the same again would not help. */
export class DatabaseMisconfigured extends DatabaseUnavailable {
  /** The text of the statement that the database does not understand, if that is what is wrong. */
  readonly statement: string | undefined;

  constructor(
    readonly remedy: string,
    { statement, ...options }: ErrorOptions & { readonly statement?: string } = {},
  ) {
    super(options);
    this.statement = statement;
  }
}

/** Too much is being done for others, or this would take too long; later it may go through. */
export class Busy extends Error {
  constructor(message = 'Too much is under way: try again') {
    super(message);
  }
}

/** The caller has left before its work began; there is nobody to answer. */
export class NobodyWaits extends Error {
  constructor() {
    super('The client has left');
  }
}

/** The code of an error of the system or of the database. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The database has no room to write; what was asked for has not been done, and reads still work. */
export class DiskFull extends Error {
  constructor(options?: ErrorOptions) {
    super('The disk of the database is full. Nothing was changed; try again when there is room', options);
  }
}

/** Too many orders would have to be read to search for this, whatever else the database has to do. */
export class SearchTooBroad extends Error {
  constructor(readonly by: 'name' | 'phone') {
    super('Too many orders would have to be read for this: narrow the search');
  }
}

/** Start-up cannot go on; the message tells the operator what to do. */
export class StartRefused extends Error {}
