import { hash } from 'node:crypto';
import { Type } from '../support/shape/type.js';
import type { Transaction } from '../postgres/database.js';
import { claimResponse, keepResponse, readResponse, type ResponseKey } from './idempotency.sql.js';
import { Conflict } from '../support/errors.js';
import { ValidationFailed, type ErrorDetail } from '../support/error-details.js';
import { json, type Response } from './response.js';
import type { RouteRequest } from './route.js';

const LONGEST_KEY = 255;

const Key = Type.String({
  maxLength: LONGEST_KEY,
  // Without an example: filled in by a page, the same key would make the second request the first.
  description:
    'For 24 hours, repeating a request with the same key returns the first response. Use a new key for each operation, such as till-1-000042',
});

export const IdempotencyHeaders = Type.Object({ 'Idempotency-Key': Type.Optional(Key) });
export const RequiredIdempotencyHeaders = Type.Object({ 'Idempotency-Key': Key });

export interface OnceResponse {
  readonly status: number;
  readonly body: unknown;
  /** The body of a replay, if the first response contained a secret. */
  readonly replayBody?: unknown;
}

/**
 * Runs the work of a POST once per Idempotency-Key and gives its response, the first or the kept one. The response is kept in
 * the transaction of the work, so a repeated request finds either nothing done or the first response.
 */
export async function respondOnce(
  call: RouteRequest,
  work: (tx: Transaction) => Promise<OnceResponse>,
): Promise<Response> {
  const { status, body } = await workOnce(call, work);
  return json(body, status);
}

/** Like `respondOnce`, for callers that build the response themselves. */
export function workOnce(
  call: RouteRequest,
  work: (tx: Transaction) => Promise<OnceResponse>,
): Promise<OnceResponse> {
  const { db, principal, request, body } = call;
  const clientKey = readIdempotencyKey(call);
  if (clientKey === undefined) return db.transaction(work);
  const operation = `${request.method ?? ''} ${request.url ?? ''}`;
  const key: ResponseKey = { owner: principal.id, operation, clientKey };
  const fingerprint = hash('sha256', JSON.stringify(body ?? null), 'buffer');
  return db.transaction(async (tx) => {
    if (!(await claimResponse(tx, key, fingerprint))) {
      const kept = await readResponse(tx, key);
      if (kept === undefined) throw new Conflict('This Idempotency-Key is in use by another request');
      if (!kept.fingerprint.equals(fingerprint))
        throw new Conflict('This Idempotency-Key was used with a different body');
      return { status: kept.status, body: JSON.parse(kept.body) as unknown };
    }
    const response = await work(tx);
    await keepResponse(tx, key, response.status, JSON.stringify(response.replayBody ?? response.body));
    return response;
  });
}

export function readIdempotencyKey({ request }: RouteRequest): string | undefined {
  const [value = '', second] = request.headersDistinct['idempotency-key'] ?? [];
  if (second !== undefined)
    throw invalidKey({ msg: 'Value error, sent more than once', type: 'value_error' });
  if (value.length > LONGEST_KEY)
    throw invalidKey({
      msg: `String should have at most ${LONGEST_KEY} characters`,
      type: 'string_too_long',
      ctx: { max_length: LONGEST_KEY },
    });
  return value === '' ? undefined : value;
}

export function requireIdempotencyKey(call: RouteRequest): string {
  const key = readIdempotencyKey(call);
  if (key === undefined) throw invalidKey({ msg: 'Field required', type: 'missing' });
  return key;
}

function invalidKey(reason: Omit<ErrorDetail, 'loc'>): ValidationFailed {
  return new ValidationFailed([{ loc: ['header', 'Idempotency-Key'], ...reason }]);
}
