import type { Queryable } from './database.js';

/** What an answer is kept under. */
export interface AnswerKey {
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
 * Claims the answer for this transaction: true when there was none, or one that is over a day old. While another
 * transaction holds the claim, this waits for that one's end.
 */
export async function claimAnswer(db: Queryable, key: AnswerKey, fingerprint: Buffer): Promise<boolean> {
  const rows = await db.query({
    name: 'idempotent_claim',
    text: `INSERT INTO idempotent_answers AS kept (owner, operation, client_key, fingerprint, created_at)
           VALUES ($1, $2, $3, $4, clock_timestamp())
           ON CONFLICT (owner, operation, client_key) DO UPDATE
             SET fingerprint = excluded.fingerprint, status = NULL, body = NULL, created_at = excluded.created_at
             WHERE kept.created_at < clock_timestamp() - interval '24 hours'
           RETURNING 1`,
    values: [key.owner, key.operation, key.clientKey, fingerprint],
  });
  return rows.length > 0;
}

export async function readAnswer(db: Queryable, key: AnswerKey): Promise<KeptAnswer | undefined> {
  const [row] = await db.query<KeptAnswer>({
    name: 'idempotent_read',
    text: `SELECT kept.fingerprint, kept.status, kept.body FROM idempotent_answers AS kept
           WHERE kept.owner = $1 AND kept.operation = $2 AND kept.client_key = $3`,
    values: [key.owner, key.operation, key.clientKey],
  });
  return row;
}

export async function keepAnswer(db: Queryable, key: AnswerKey, status: number, body: string): Promise<void> {
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

/** Forgets some of the answers of more than a day ago; true when there may be more. */
export async function forgetOldAnswers(db: Queryable): Promise<boolean> {
  const forgotten = await db.query({
    name: 'idempotent_forget',
    text: `DELETE FROM idempotent_answers
           WHERE (owner, operation, client_key) IN (
             SELECT old.owner, old.operation, old.client_key FROM idempotent_answers AS old
             WHERE old.created_at < now() - interval '24 hours'
             ORDER BY old.created_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)
           RETURNING 1`,
    repeatable: true,
  });
  return forgotten.length === FORGOTTEN_AT_ONCE;
}

const DAY_MS = 86_400_000;
const STORES_AT_ONCE = 100;

/**
 * The same for the keys under which orders were taken in. They are kept by store, so each store is looked at: every one that
 * has had an order has a counter of events.
 */
export async function forgetOldIntakeKeys(db: Queryable): Promise<boolean> {
  const dayAgo = new Date(Date.now() - DAY_MS);
  const stores = await db.query<{ store_key: number }>({
    name: 'idempotent_stores_with_old_keys',
    text: `SELECT c.store_key FROM event_counters c
           WHERE EXISTS (
             SELECT FROM order_intake_keys k WHERE k.store_key = c.store_key AND k.taken_at < $1)
           LIMIT ${STORES_AT_ONCE}`,
    values: [dayAgo],
    repeatable: true,
  });
  let removed = 0;
  for (const { store_key: storeKey } of stores) {
    const forgotten = await db.query({
      name: 'idempotent_forget_intake_keys',
      text: `DELETE FROM order_intake_keys
             WHERE order_intake_keys.store_key = $1 AND order_intake_keys.ctid = ANY (ARRAY (
               SELECT k.ctid FROM order_intake_keys k
               WHERE k.store_key = $1 AND k.taken_at < $2 LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))
             RETURNING 1`,
      values: [storeKey, dayAgo],
      repeatable: true,
    });
    removed += forgotten.length;
  }
  return removed > 0;
}
