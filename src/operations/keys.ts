import { readCell } from '../db/cell-numbers.js';
import type { Database, Queryable, Transaction } from '../db/database.js';
import {
  endKeySoon,
  findKeyBySecret,
  findSuccessor,
  hasOperatorKey,
  insertKey,
  lockKey,
  lockKeys,
  revokeKey as revokeKeyRow,
  readClock,
  revokeOperatorKeys,
} from '../db/keys.js';
import { Conflict, NotFound } from '../domain/errors.js';
import { FaultList, valueFault } from '../domain/faults.js';
import { createSecret, hashSecret, lastFour } from '../domain/key/secret.js';
import type { Key, KeyCreate } from '../domain/key/shapes.js';
import { newUuidV7 } from '../domain/uuid.js';
import { reportForeignStores, requireMerchant } from './stores.js';

const DEFAULT_OVERLAP_SECONDS = 86_400;

export interface IssuedKey {
  readonly key: Key;
  readonly secret: string;
}

export async function issueKey(tx: Transaction, wanted: KeyCreate): Promise<IssuedKey> {
  await requireMerchant(tx, wanted.merchant_id);
  const faults = new FaultList();
  await reportForeignStores(tx, wanted.merchant_id, wanted.store_ids ?? [], faults);
  if (wanted.expires_at !== undefined && new Date(wanted.expires_at) <= (await readClock(tx)))
    faults.add(valueFault(['body', 'expires_at'], 'in the past: such a key would never work'));
  faults.throwIfAny();
  return insertWithSecret(tx, {
    merchantId: wanted.merchant_id,
    storeIds: wanted.store_ids && [...new Set(wanted.store_ids)],
    permissions: [...new Set(wanted.permissions)],
    label: wanted.label,
    expiresAt: wanted.expires_at,
    rotatedFrom: undefined,
  });
}

/** The new key has the same reach; the old one goes on for the overlap, so that tills can be changed one by one. */
export async function rotateKey(
  tx: Transaction,
  id: string,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): Promise<IssuedKey> {
  const old = await lockKey(tx, id);
  if (old === undefined) throw new NotFound('Key');
  const successor = await findSuccessor(tx, old);
  if (successor !== undefined)
    throw new Conflict(`This key has been replaced by ${successor}; rotate that one`);
  if (!old.isLive) throw new Conflict('This key no longer works; issue a new one');
  const issued = await insertWithSecret(tx, {
    merchantId: old.merchant_id,
    storeIds: old.store_ids,
    permissions: old.permissions,
    label: old.label,
    expiresAt: old.expires_at,
    rotatedFrom: old.id,
  });
  await endKeySoon(tx, id, overlapSeconds);
  return issued;
}

export async function revokeKey(tx: Transaction, id: string): Promise<void> {
  if (!(await revokeKeyRow(tx, id))) throw new NotFound('Key');
}

/** Makes the first operator key of an installation; undefined where one exists already. */
export async function ensureOperatorKey(db: Database): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    if (await hasOperatorKey(tx)) return undefined;
    return (await insertOperatorKey(tx, await newSecret(tx))).secret;
  });
}

/** Makes a secret from a file the installation's operator key; false when that key has been revoked. */
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

export async function newSecret(db: Queryable): Promise<string> {
  return createSecret((await readCell(db)).cell);
}

function insertOperatorKey(tx: Transaction, secret: string): Promise<IssuedKey> {
  return insertWithSecret(
    tx,
    {
      merchantId: undefined,
      storeIds: undefined,
      permissions: [],
      label: 'operator',
      expiresAt: undefined,
      rotatedFrom: undefined,
    },
    secret,
  );
}

async function insertWithSecret(
  tx: Transaction,
  reach: Omit<Parameters<typeof insertKey>[1], 'id' | 'secretHash' | 'lastFour'>,
  given?: string,
): Promise<IssuedKey> {
  const secret = given ?? (await newSecret(tx));
  const key = await insertKey(tx, {
    ...reach,
    id: newUuidV7(),
    secretHash: hashSecret(secret),
    lastFour: lastFour(secret),
  });
  return { key, secret };
}
