import type { Queryable } from './database.js';

/** A session that nobody has used for so long is over. */
export const SESSION_IDLE_HOURS = 12;

export async function insertSession(db: Queryable, tokenHash: Buffer, keyHash: Buffer): Promise<void> {
  await db.query({
    name: 'console_session_insert',
    text: `INSERT INTO console_sessions (token_hash, key_hash, created_at, last_used_at)
           VALUES ($1, $2, clock_timestamp(), clock_timestamp())`,
    values: [tokenHash, keyHash],
  });
}

export async function deleteSession(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query({
    name: 'console_session_delete',
    text: 'DELETE FROM console_sessions WHERE console_sessions.token_hash = $1',
    values: [tokenHash],
    repeatable: true,
  });
}

export async function markSessionsUsed(db: Queryable, tokenHashes: readonly Buffer[]): Promise<void> {
  await db.query({
    name: 'console_sessions_used',
    text: `UPDATE console_sessions SET last_used_at = clock_timestamp()
           WHERE console_sessions.token_hash = ANY ($1::bytea[])`,
    values: [tokenHashes],
    repeatable: true,
  });
}

export async function insertCode(
  db: Queryable,
  codeHash: Buffer,
  keyHash: Buffer,
  minutes: number,
): Promise<void> {
  await db.query({
    name: 'console_code_insert',
    text: `INSERT INTO console_codes (code_hash, key_hash, expires_at)
           VALUES ($1, $2, clock_timestamp() + make_interval(mins => $3))`,
    values: [codeHash, keyHash, minutes],
  });
}

/** The hash of the key that the code stands for. Of several who come with the same code, one gets it. */
export async function redeemCode(db: Queryable, codeHash: Buffer): Promise<Buffer | undefined> {
  const [row] = await db.query<{ key_hash: Buffer; is_fresh: boolean }>({
    name: 'console_code_redeem',
    text: `DELETE FROM console_codes WHERE console_codes.code_hash = $1
           RETURNING console_codes.key_hash, console_codes.expires_at > clock_timestamp() AS is_fresh`,
    values: [codeHash],
  });
  return row?.is_fresh === true ? row.key_hash : undefined;
}

const FORGOTTEN_AT_ONCE = 1000;

/** Removes sessions and codes that are over; true when there may be more. */
export async function forgetOldSessions(db: Queryable): Promise<boolean> {
  await db.query({
    name: 'console_codes_forget',
    text: 'DELETE FROM console_codes WHERE console_codes.expires_at < clock_timestamp()',
    repeatable: true,
  });
  const forgotten = await db.query({
    name: 'console_sessions_forget',
    text: `DELETE FROM console_sessions WHERE console_sessions.token_hash IN (
             SELECT old.token_hash FROM console_sessions AS old
             WHERE old.last_used_at < clock_timestamp() - interval '${SESSION_IDLE_HOURS} hours'
             ORDER BY old.last_used_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)
           RETURNING 1`,
    repeatable: true,
  });
  return forgotten.length === FORGOTTEN_AT_ONCE;
}
