import type { Queryable } from '../postgres/database.js';

/*
 * Records of Idempotency-Keys, written in the transaction of the request and valid for 24 hours. They keep the response; the
 * keys of orders, which the orders room keeps, name the order instead.
 */

export interface ResponseKey {
  readonly owner: string;
  readonly operation: string;
  readonly clientKey: string;
}

export interface KeptResponse {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
}

/**
 * Claims the response for this transaction: true when there was none, or one that is over a day old. While another
 * transaction holds the claim, this waits for that one's end.
 */
export async function claimResponse(db: Queryable, key: ResponseKey, fingerprint: Buffer): Promise<boolean> {
  const rows = await db.query({
    name: 'idempotent_claim',
    text: `INSERT INTO idempotent_answers AS kept (owner, operation, client_key, fingerprint, created_at)
           VALUES ($1, $2, $3, $4, clock_timestamp())
           ON CONFLICT (owner, operation, client_key) DO UPDATE
             SET fingerprint = excluded.fingerprint, status = NULL, body = NULL, created_at = excluded.created_at
             WHERE kept.created_at <= clock_timestamp() - interval '24 hours'
           RETURNING 1`,
    values: [key.owner, key.operation, key.clientKey, fingerprint],
  });
  return rows.length > 0;
}

export async function readResponse(db: Queryable, key: ResponseKey): Promise<KeptResponse | undefined> {
  const [row] = await db.query<KeptResponse>({
    name: 'idempotent_read',
    text: `SELECT kept.fingerprint, kept.status, kept.body FROM idempotent_answers AS kept
           WHERE kept.owner = $1 AND kept.operation = $2 AND kept.client_key = $3`,
    values: [key.owner, key.operation, key.clientKey],
  });
  return row;
}

export async function keepResponse(
  db: Queryable,
  key: ResponseKey,
  status: number,
  body: string,
): Promise<void> {
  await db.query({
    name: 'idempotent_keep',
    text: `UPDATE idempotent_answers SET status = $4, body = $5
           WHERE idempotent_answers.owner = $1 AND idempotent_answers.operation = $2
             AND idempotent_answers.client_key = $3`,
    values: [key.owner, key.operation, key.clientKey, status, body],
  });
}

/** How many rows one statement removes: few enough that nothing has to wait for it. */
const FORGOTTEN_AT_ONCE = 1_000;

/** Removes some responses older than a day; true when there may be more. */
export async function purgeOldResponses(db: Queryable): Promise<boolean> {
  const forgotten = await db.query({
    name: 'idempotent_forget',
    text: `DELETE FROM idempotent_answers
           WHERE (owner, operation, client_key) IN (
             SELECT old.owner, old.operation, old.client_key FROM idempotent_answers AS old
             WHERE old.created_at <= now() - interval '24 hours'
             ORDER BY old.created_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)
           RETURNING 1`,
    repeatable: true,
  });
  return forgotten.length === FORGOTTEN_AT_ONCE;
}
