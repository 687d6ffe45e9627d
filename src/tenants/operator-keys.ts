import { hashSecret } from '../access/secret.js';
import type { Database } from '../postgres/database.js';
import { insertWithSecret } from './keys.js';
import { findKeyBySecret, hasOperatorKey, lockKeys, revokeOperatorKeys } from './keys.sql.js';

const OPERATOR = { permissions: [], label: 'operator' };

/** Creates the first operator key of an installation; undefined if one exists already. */
export async function ensureOperatorKey(db: Database): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    if (await hasOperatorKey(tx)) return undefined;
    return (await insertWithSecret(tx, OPERATOR)).secret;
  });
}

/** Adopts a secret from a file as operator key; false when that key has been revoked. */
export async function adoptOperatorKey(db: Database, secret: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const known = await findKeyBySecret(tx, hashSecret(secret));
    if (known === undefined) {
      await revokeOperatorKeys(tx);
      await insertWithSecret(tx, OPERATOR, secret);
    }
    return known?.isLive ?? true;
  });
}
