import { hashSecret } from '../access/secret.js';
import type { Database, Transaction } from '../postgres/database.js';
import { insertWithSecret, newSecret, type IssuedKey } from './keys.js';
import { findKeyBySecret, hasOperatorKey, lockKeys, revokeOperatorKeys } from './keys.sql.js';

/** Creates the first operator key of an installation; undefined if one exists already. */
export async function ensureOperatorKey(db: Database): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    if (await hasOperatorKey(tx)) return undefined;
    return (await insertOperatorKey(tx, await newSecret(tx))).secret;
  });
}

/** Adopts a secret from a file as operator key; false when that key has been revoked. */
export async function adoptOperatorKey(db: Database, secret: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const known = await findKeyBySecret(tx, hashSecret(secret));
    if (known === undefined) {
      await revokeOperatorKeys(tx);
      await insertOperatorKey(tx, secret);
    }
    return known?.isLive ?? true;
  });
}

function insertOperatorKey(tx: Transaction, secret: string): Promise<IssuedKey> {
  return insertWithSecret(tx, { permissions: [], label: 'operator' }, secret);
}
