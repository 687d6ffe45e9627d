import { randomBytes } from 'node:crypto';
import { deleteSession, insertCode, insertSession, redeemCode } from '../db/console-sessions.js';
import type { Database, Queryable } from '../db/database.js';
import { Unauthenticated } from '../domain/errors.js';
import { hashSecret } from '../domain/key/secret.js';

const CODE_MINUTES = 10;

/** Opens a session for the key with this hash; the token that is returned is kept nowhere else. */
export async function openSession(db: Queryable, keyHash: Buffer): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertSession(db, hashSecret(token), keyHash);
  return token;
}

/** Opens a session for whoever brings the code first, in time. */
export function openSessionByCode(db: Database, code: string): Promise<string> {
  return db.transaction(async (tx) => {
    const keyHash = await redeemCode(tx, hashSecret(code));
    if (keyHash === undefined) throw new Unauthenticated('code used');
    return openSession(tx, keyHash);
  });
}

export function endSession(db: Queryable, token: string): Promise<void> {
  return deleteSession(db, hashSecret(token));
}

/** A code that opens one session of the key, within ten minutes. */
export async function makeCode(db: Queryable, secret: string): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  await insertCode(db, hashSecret(code), hashSecret(secret), CODE_MINUTES);
  return code;
}
