import { DatabaseMisconfigured, errorCode, StartRefused } from '../domain/errors.js';
import { isConnectionLoss } from './connection-errors.js';

/* Errors of a database that is not set up as the service needs it, in words that tell the operator what to do. */

/** Poolers differ in how they lose a name: it is unknown on the connection, or another client has given it. */
const LOST_STATEMENT = new Set(['26000', '42P05']);
const MISSING_OBJECT = new Set(['42P01', '42703', '42883']);

/** The database lacks a table, a column or a function. */
export function isMissingObject(error: unknown): boolean {
  return MISSING_OBJECT.has(errorCode(error) ?? '');
}

const LOSES_STATEMENTS =
  'DATABASE_URL leads through a pooler that hands its connections out by the transaction and does not keep prepared ' +
  'statements apart: set pool_mode = session in it, or, from PgBouncer 1.21 on, max_prepared_statements = 500.';

/** What a statement of the service failed with, where asking again is in vain until the operator has done something. */
export function explainStatementError(error: unknown, statement: string): DatabaseMisconfigured | undefined {
  if (LOST_STATEMENT.has(errorCode(error) ?? ''))
    return new DatabaseMisconfigured(LOSES_STATEMENTS, { cause: error });
  if (!isMissingObject(error)) return undefined;
  return new DatabaseMisconfigured(
    `The database lacks what this version of the service asks for: ${(error as Error).message}. If a newer version has migrated ` +
      'it, end this process, and run the newer version; otherwise put back what is missing, and the service goes on by itself.',
    { cause: error, statement },
  );
}

/** The same for what a pooler refuses whatever is asked of it. */
export function explainRefusal(error: unknown): DatabaseMisconfigured | undefined {
  if (errorCode(error) !== '08P01' || isConnectionLoss(error)) return undefined;
  return new DatabaseMisconfigured(
    `DATABASE_URL does not work: ${(error as Error).message}. Set a database and a user in it that the pooler knows, and let ` +
      'the pooler accept what the service sends.',
    { cause: error },
  );
}

const STATE_OF_SERVER = /^(?:08|28|3D|42501|53|57)/;

/** What the text of a migration failed with; what is wrong with the server or the address is told elsewhere. */
export function explainMigrationError(error: unknown, name: string): unknown {
  const code = errorCode(error);
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || STATE_OF_SERVER.test(code)) return error;
  return new StartRefused(
    `The migration ${name} failed: ${(error as Error).message}. It is not applied, and is begun anew at the next start. ` +
      'Mend in the database what it stumbles over, or run the version that ran before.',
    { cause: error },
  );
}

/** The error in words that help, when it is the address of the database that has to be changed. */
export function explainAddressError(error: unknown): unknown {
  if (error instanceof DatabaseMisconfigured) return new StartRefused(error.remedy, { cause: error });
  if (!(error instanceof Error) || error instanceof StartRefused) return error;
  const advice = addressAdvice(errorCode(error) ?? error.message);
  return advice === undefined
    ? error
    : new StartRefused(`DATABASE_URL does not work: ${error.message}. ${advice}`, { cause: error });
}

function addressAdvice(fault: string): string | undefined {
  switch (fault) {
    case '28P01':
      return 'Set the right user and password in it.';
    case '28000':
      return 'Set a user in it that the server lets in from this machine.';
    case '3D000':
      return 'Create that database, or set the name of another in it.';
    case '42501':
      return 'Let its user create tables in that database and own those of the service, or set another user in it.';
    case 'The server does not support SSL connections':
      return 'Turn TLS on at the server, or leave sslmode out of it.';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'Name the authority that signed the certificate of the server in it: sslrootcert=<file>.';
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'Give the server a certificate that is valid for the host in it.';
    default:
      return undefined;
  }
}
