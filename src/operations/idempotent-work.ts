import { hash } from 'node:crypto';
import type { SharedDatabase, Transaction } from '../db/database.js';
import { claimAnswer, keepAnswer, readAnswer, type AnswerKey } from '../db/idempotent-answers.js';
import { Conflict } from '../domain/errors.js';

/** What the work is answered with; kept, so that the same request sent again is answered alike. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
  /** What a replay shows instead, where the first answer holds a secret. */
  readonly replayBody?: unknown;
}

export interface KeyedRequest {
  /** Who asks: two callers may use the same client key. */
  readonly owner: string;
  readonly operation: string;
  readonly clientKey: string | undefined;
  readonly body: unknown;
}

/**
 * Does the work in one transaction. With a client key, the answer is kept in that same transaction, so a repeated
 * request finds either nothing done or the first answer.
 */
export async function doOnce(
  db: SharedDatabase,
  request: KeyedRequest,
  work: (tx: Transaction) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { clientKey } = request;
  if (clientKey === undefined) return db.transaction(work);
  const key: AnswerKey = { owner: request.owner, operation: request.operation, clientKey };
  const fingerprint = hash('sha256', JSON.stringify(request.body ?? null), 'buffer');
  return db.transaction(async (tx) => {
    if (!(await claimAnswer(tx, key, fingerprint))) return replay(tx, key, fingerprint);
    const answer = await work(tx);
    await keepAnswer(tx, key, answer.status, JSON.stringify(answer.replayBody ?? answer.body));
    return answer;
  });
}

async function replay(tx: Transaction, key: AnswerKey, fingerprint: Buffer): Promise<KeptAnswer> {
  const kept = await readAnswer(tx, key);
  if (kept === undefined) throw new Conflict('This Idempotency-Key is in use by another request');
  if (!kept.fingerprint.equals(fingerprint)) {
    throw new Conflict('This Idempotency-Key was used with a different body');
  }
  return { status: kept.status, body: JSON.parse(kept.body) as unknown };
}
