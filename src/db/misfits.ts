import { DatabaseMisfit, errorCode } from '../domain/errors.js';
import { isConnectionLoss } from './connection-errors.js';

/** Poolers differ in how they lose a name: it is unknown on the connection, or another client has given it. */
const LOST_STATEMENT = new Set(['26000', '42P05']);
const NOT_THERE = new Set(['42P01', '42703', '42883']);

/** Of a table, a column or a function. */
export function isNotThere(error: unknown): boolean {
  return NOT_THERE.has(errorCode(error) ?? '');
}

const LOSES_STATEMENTS =
  'DATABASE_URL leads through a pooler that hands its connections out by the transaction and does not keep prepared ' +
  'statements apart: set pool_mode = session in it, or, from PgBouncer 1.21 on, max_prepared_statements = 500.';

/** What a statement of the service failed with, where asking again is in vain until the operator has done something. */
export function statementMisfit(error: unknown, statement: string): DatabaseMisfit | undefined {
  if (LOST_STATEMENT.has(errorCode(error) ?? ''))
    return new DatabaseMisfit(LOSES_STATEMENTS, { cause: error });
  if (!isNotThere(error)) return undefined;
  return new DatabaseMisfit(
    `The database lacks what this version of the service asks for: ${(error as Error).message}. If a newer version has migrated ` +
      'it, end this process, and run the newer version; otherwise put back what is missing, and the service goes on by itself.',
    { cause: error, statement },
  );
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
