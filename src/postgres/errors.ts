import { DatabaseMisconfigured, errorCode, StartupError } from '../support/errors.js';

const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EMFILE', // no file descriptor is left for a new connection, in this process
  'ENFILE', // or on the machine
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '25006', // read_only_sql_transaction: a failover has left this connection on the old primary
]);

const LOST_MESSAGES =
  /Connection terminated|timeout expired|Client has encountered a connection error|server conn crashed|not queryable/;
const SILENCE_MESSAGE = 'Query read timeout';

/** Poolers use 08P01 for nearly everything. These messages are transient; any other would repeat on every retry. */
const PASSING_REFUSAL =
  /crashed|timeout|failing|try again|shut|cannot connect|no more connections|too many|disconnect|closed|paused|lost/;

export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '08P01') return PASSING_REFUSAL.test((error as Error).message);
  if (code !== undefined) return LOST_CODES.has(code) || code.startsWith('08');
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  return isSilence(error) || (error instanceof Error && LOST_MESSAGES.test(error.message));
}

/** The connection is open, but no answer came in time. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === SILENCE_MESSAGE;
}

/** The server cancelled the statement, which ran or waited for a lock too long; its work was rolled back. */
export function isOverTime(error: unknown): boolean {
  return errorCode(error) === '57014';
}

/** Serialization failure or deadlock: everything was rolled back and may be retried. */
export function isRolledBackConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

/* Errors of a database that is not set up correctly, with messages that tell the operator what to do. */

/** Poolers lose prepared statements in two ways: the name is unknown on the connection, or taken by another client. */
const LOST_STATEMENT = new Set(['26000', '42P05']);
/** The database lacks a table, a column or a function. */
const MISSING_OBJECT = new Set(['42P01', '42703', '42883']);

/** A statement does not fit the tables: it names what is not there, or leaves out what they now require. */
const MISFIT = /^(?:42...|0A000|23502|23503|23514)$/;

export function isMisfit(error: unknown): boolean {
  return MISFIT.test(errorCode(error instanceof DatabaseMisconfigured ? error.cause : error) ?? '');
}

const LOSES_STATEMENTS =
  'DATABASE_URL points to a pooler in transaction mode that does not support prepared ' +
  'statements. Set pool_mode = session in it, or max_prepared_statements = 500 from PgBouncer 1.21 on.';

/** Explains a statement error that persists until the operator acts. */
export function explainStatementError(error: unknown): DatabaseMisconfigured | undefined {
  const code = errorCode(error) ?? '';
  if (LOST_STATEMENT.has(code)) return new DatabaseMisconfigured(LOSES_STATEMENTS, { cause: error });
  if (!MISSING_OBJECT.has(code)) return undefined;
  return new DatabaseMisconfigured(
    `The database does not have the schema that this version needs: ${(error as Error).message}. If a newer version has migrated ` +
      'it, stop this process and run the newer version. Otherwise put back what is missing; the service then recovers by itself.',
    { cause: error },
  );
}

/** Explains an error with which a pooler rejects every statement. */
export function explainRefusal(error: unknown): DatabaseMisconfigured | undefined {
  if (errorCode(error) !== '08P01' || isConnectionLoss(error)) return undefined;
  return new DatabaseMisconfigured(
    `DATABASE_URL does not work: ${(error as Error).message}. Set a database and user that the pooler knows, and configure ` +
      'the pooler to accept what the service sends.',
    { cause: error },
  );
}

const STATE_OF_SERVER = /^(?:08|28|3D|42501|53|57)/;

/** Explains an error in a migration itself; errors of the server or the address are handled elsewhere. */
export function explainMigrationError(error: unknown, name: string): unknown {
  const code = errorCode(error);
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || STATE_OF_SERVER.test(code)) return error;
  return new StartupError(
    `The migration ${name} failed: ${(error as Error).message}. It was rolled back and is tried again at the next start. ` +
      'Fix the cause in the database, or run the previous version.',
    { cause: error },
  );
}

/** Explains an error that a change of DATABASE_URL can fix. */
export function explainAddressError(error: unknown): unknown {
  if (error instanceof DatabaseMisconfigured) return new StartupError(error.remedy, { cause: error });
  if (!(error instanceof Error) || error instanceof StartupError) return error;
  const advice = ADDRESS_ADVICE[errorCode(error) ?? error.message];
  return advice === undefined
    ? error
    : new StartupError(`DATABASE_URL does not work: ${error.message}. ${advice}`, { cause: error });
}

const UNKNOWN_AUTHORITY = 'Add the authority that signed the certificate of the server: sslrootcert=<file>.';
const INVALID_CERTIFICATE = 'Give the server a certificate that is valid for its host name.';

/** By the code of the error, or its message where it has none. */
const ADDRESS_ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Set the right user and password in it.',
  '28000': 'Set a user in it that may connect to the server from this machine.',
  '3D000': 'Create that database, or set another name in it.',
  '42501':
    'Its user must own the tables of the service and be allowed to create tables, or set another user in it.',
  'The server does not support SSL connections': 'Turn on TLS at the server, or remove sslmode from it.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: INVALID_CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: INVALID_CERTIFICATE,
};
