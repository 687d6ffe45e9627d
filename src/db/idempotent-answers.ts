import type { Queryable } from './database.js';

export interface AnswerPlace {
  readonly owner: string;
  readonly operation: string;
  readonly clientKey: string;
}

export interface KeptAnswer {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
}

/**
 * Claims the place for this transaction: true when it was free or its answer is over a day old. While another
 * transaction holds the place, this waits for that one's end.
 */
export async function claimAnswerPlace(
  db: Queryable,
  place: AnswerPlace,
  fingerprint: Buffer,
): Promise<boolean> {
  const rows = await db.query({
    name: 'idempotent_claim',
    text: `INSERT INTO idempotent_answers AS kept (owner, operation, client_key, fingerprint, created_at)
           VALUES ($1, $2, $3, $4, clock_timestamp())
           ON CONFLICT (owner, operation, client_key) DO UPDATE
             SET fingerprint = excluded.fingerprint, status = NULL, body = NULL, created_at = excluded.created_at
             WHERE kept.created_at < clock_timestamp() - interval '24 hours'
           RETURNING 1`,
    values: [place.owner, place.operation, place.clientKey, fingerprint],
  });
  return rows.length > 0;
}

export async function readAnswer(db: Queryable, place: AnswerPlace): Promise<KeptAnswer | undefined> {
  const [row] = await db.query<KeptAnswer>({
    name: 'idempotent_read',
    text: `SELECT kept.fingerprint, kept.status, kept.body FROM idempotent_answers AS kept
           WHERE kept.owner = $1 AND kept.operation = $2 AND kept.client_key = $3`,
    values: [place.owner, place.operation, place.clientKey],
  });
  return row;
}

export async function keepAnswer(
  db: Queryable,
  place: AnswerPlace,
  status: number,
  body: string,
): Promise<void> {
  await db.query({
    name: 'idempotent_keep',
    text: `UPDATE idempotent_answers SET status = $4, body = $5
           WHERE idempotent_answers.owner = $1 AND idempotent_answers.operation = $2
             AND idempotent_answers.client_key = $3`,
    values: [place.owner, place.operation, place.clientKey, status, body],
  });
}

export async function forgetOldAnswers(db: Queryable): Promise<void> {
  await db.query({
    name: 'idempotent_forget',
    text: `DELETE FROM idempotent_answers
           WHERE (owner, operation, client_key) IN (
             SELECT old.owner, old.operation, old.client_key FROM idempotent_answers AS old
             WHERE old.created_at < clock_timestamp() - interval '24 hours'
             ORDER BY old.created_at LIMIT 1000)`,
    repeatable: true,
  });
}
