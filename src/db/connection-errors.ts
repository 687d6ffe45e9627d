import { errorCode } from '../domain/errors.js';

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
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|server conn crashed|not queryable/;
const SILENCE_MESSAGE = 'Query read timeout';

/** 08P01 is a pooler's word for nearly everything. These may pass; any other it would say again, however often it is asked. */
const PASSING_REFUSAL =
  /crashed|timeout|failing|try again|shut|cannot connect|no more connections|too many|disconnect|closed|paused|lost/;

export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '08P01') return PASSING_REFUSAL.test((error as Error).message);
  if (code !== undefined) return LOST_CODES.has(code) || code.startsWith('08');
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  return isSilence(error) || (error instanceof Error && LOST_MESSAGES.test(error.message));
}

/** The connection is there, but no answer came through it in time. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === SILENCE_MESSAGE;
}

/** The server broke the statement off, and what it had done was rolled back: it ran, or waited for a lock, for too long. */
export function isOverTime(error: unknown): boolean {
  return errorCode(error) === '57014';
}

/** Serialization failure or deadlock: the work was rolled back whole and may be done again. */
export function isRolledBackConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

/** The server could not write for want of room; what it had done was rolled back. */
export function isDiskFull(error: unknown): boolean {
  return errorCode(error) === '53100';
}

/** Raised by append_events: somebody has deleted the store since the request found it. */
export function isStoreDeleted(error: unknown): boolean {
  return errorCode(error) === 'CD001';
}
