import { randomBytes } from 'node:crypto';
import type { Queryable } from '../postgres/database.js';
import { hashSecret } from './secret.js';

/** A session in which no person has done anything for this long is over. */
export const SESSION_IDLE_HOURS = 12;
/** Nobody touches a screen on the wall, and it may be off for days: its session ends with its key. */
export const IS_KEY_OF_SCREEN = `api_keys.permissions = '{pickup:read}'`;
/** Sessions of one key. One more ends the session that was idle longest. */
const MAX_SESSIONS = 100;

/** Opens a session for the key with this hash and returns its token, which is stored only as a hash. */
export async function openSession(db: Queryable, keyHash: Buffer): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.query({
    name: 'console_session_insert',
    text: `WITH opened AS (
             INSERT INTO console_sessions (token_hash, key_hash, created_at, last_used_at)
             VALUES ($1, $2, clock_timestamp(), clock_timestamp()))
           DELETE FROM console_sessions WHERE console_sessions.token_hash IN (
             SELECT old.token_hash FROM console_sessions AS old WHERE old.key_hash = $2
             ORDER BY old.last_used_at DESC OFFSET ${MAX_SESSIONS - 1})`,
    values: [hashSecret(token), keyHash],
  });
  return token;
}

/** Redeems a code and returns the hash of its key. Of several callers with the same code, only one succeeds. */
export async function redeemCode(db: Queryable, code: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ key_hash: Buffer; is_fresh: boolean }>({
    name: 'console_code_redeem',
    text: `DELETE FROM console_codes WHERE console_codes.code_hash = $1
           RETURNING console_codes.key_hash, console_codes.expires_at > clock_timestamp() AS is_fresh`,
    values: [hashSecret(code)],
  });
  return row?.is_fresh === true ? row.key_hash : undefined;
}

/** A code that opens one session of the key with this hash, until the end of its time. */
export async function makeCode(db: Queryable, keyHash: Buffer, expiresAt: Date): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  await db.query({
    name: 'console_code_insert',
    text: 'INSERT INTO console_codes (code_hash, key_hash, expires_at) VALUES ($1, $2, $3)',
    values: [hashSecret(code), keyHash, expiresAt],
  });
  return code;
}

export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.query({
    name: 'console_session_delete',
    text: 'DELETE FROM console_sessions WHERE console_sessions.token_hash = $1',
    values: [hashSecret(token)],
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

const FORGOTTEN_AT_ONCE = 1000;

/** Removes expired sessions and codes; true when there may be more. */
export async function purgeOldSessions(db: Queryable): Promise<boolean> {
  await db.query({
    name: 'console_codes_forget',
    text: 'DELETE FROM console_codes WHERE console_codes.expires_at < clock_timestamp()',
    repeatable: true,
  });
  const screens = await db.read<{ secret_hash: Buffer }>({
    name: 'console_screens',
    text: `SELECT api_keys.secret_hash FROM api_keys WHERE ${IS_KEY_OF_SCREEN} AND api_keys.revoked_at IS NULL
             AND coalesce(api_keys.expires_at > clock_timestamp(), true)`,
  });
  const forgotten = await db.query({
    name: 'console_sessions_forget',
    text: `DELETE FROM console_sessions WHERE console_sessions.token_hash IN (
             SELECT old.token_hash FROM console_sessions AS old
             WHERE old.last_used_at < clock_timestamp() - interval '${SESSION_IDLE_HOURS} hours'
               AND old.key_hash <> ALL ($1::bytea[])
             ORDER BY old.last_used_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)
           RETURNING 1`,
    values: [screens.map(({ secret_hash: hash }) => hash)],
    repeatable: true,
  });
  return forgotten.length === FORGOTTEN_AT_ONCE;
}
