import { DatabaseMisfit, errorCode } from '../domain/errors.js';
import { isConnectionLoss } from './connection-errors.js';

/** Poolers differ in how they lose a name: it is unknown on the connection, or another client has given it. */
const LOST_STATEMENT = new Set(['26000', '42P05']);
/** A table, a column or a function that is not there. */
const NOT_THERE = new Set(['42P01', '42703', '42883']);

const LOSES_STATEMENTS =
  'DATABASE_URL leads through a pooler that hands its connections out by the transaction and does not keep prepared ' +
  'statements apart: set pool_mode = session in it, or, from PgBouncer 1.21 on, max_prepared_statements = 500.';

const IS_NEWER =
  'The database has a schema that this version of the service does not know: a newer version has migrated it. End this ' +
  'process, and run the newer version.';

/** What a statement of the service failed with, where asking again is in vain until the operator has done something. */
export function statementMisfit(error: unknown): DatabaseMisfit | undefined {
  const code = errorCode(error) ?? '';
  if (LOST_STATEMENT.has(code)) return new DatabaseMisfit(LOSES_STATEMENTS, { cause: error });
  // No process learns another schema while it runs.
  if (NOT_THERE.has(code)) return new DatabaseMisfit(IS_NEWER, { cause: error, lasts: true });
  return undefined;
}

/** The same for what a pooler refuses whatever is asked of it. */
export function refusalMisfit(error: unknown): DatabaseMisfit | undefined {
  if (errorCode(error) !== '08P01' || isConnectionLoss(error)) return undefined;
  return new DatabaseMisfit(
    `DATABASE_URL does not work: ${(error as Error).message}. Set a database and a user in it that the pooler knows, and let ` +
      'the pooler accept what the service sends.',
    { cause: error },
  );
}
