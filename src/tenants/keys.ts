import type { IncomingMessage } from 'node:http';
import { readClock } from '../access/api-key-lookup.sql.js';
import { GIVEN_OPERATOR } from '../access/authentication.js';
import { audit, type Change } from '../audit/audit.sql.js';
import { refuseMovingNamed } from '../access/moving.sql.js';
import { maySeeMerchant, requireReach, scopeOf, type Principal } from '../access/principal.js';
import { makeCode } from '../access/sessions.sql.js';
import type { PublicOrigin } from '../http/origin.js';
import { readCell } from '../postgres/cell-numbers.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import {
  endKeySoon,
  findSuccessor,
  getKey,
  insertKey,
  lockKey,
  updateKey,
  type LockedKey,
} from './keys.sql.js';
import { Conflict, Forbidden, NotFound, Unauthenticated } from '../support/errors.js';
import { ErrorList, ValidationFailed, valueErrorDetail } from '../support/error-details.js';
import { createSecret, hashSecret, lastFour } from '../access/secret.js';
import { DAY_MS, DAY_SECONDS } from '../support/datetime.js';
import type { Key, KeyCreate, KeyPatch } from './shapes.js';
import { isResourceId, newUuidV7 } from '../support/uuid.js';
import { reportForeignStores, requireMerchant, unknownMerchant } from './stores.js';

export interface IssuedKey {
  readonly key: Key;
  readonly secret: string;
}

export async function issueKey(tx: Transaction, principal: Principal, wanted: KeyCreate): Promise<IssuedKey> {
  requireReach(principal, { permissions: wanted.permissions, storeIds: wanted.store_ids });
  const merchantId = wanted.merchant_id ?? scopeOf(principal).merchantId;
  if (merchantId === undefined)
    throw new ValidationFailed([{ loc: ['body', 'merchant_id'], msg: 'Field required', type: 'missing' }]);
  if (!maySeeMerchant(principal, merchantId)) throw new ValidationFailed([unknownMerchant(merchantId)]);
  await requireMerchant(tx, merchantId);
  const errors = new ErrorList();
  await reportForeignStores(tx, merchantId, wanted.store_ids ?? [], errors);
  if (wanted.expires_at !== undefined && new Date(wanted.expires_at) <= (await readClock(tx)))
    errors.add(valueErrorDetail(['body', 'expires_at'], 'expires_at is in the past'));
  errors.throwIfAny();
  const latest = await holdOwn(tx, principal);
  const expiresAt = wanted.expires_at ?? latest;
  requireNoLater(expiresAt, latest);
  const issued = await insertWithSecret(tx, {
    merchantId,
    storeIds: wanted.store_ids && [...new Set(wanted.store_ids)],
    permissions: [...new Set(wanted.permissions)],
    label: wanted.label,
    expiresAt,
    issuedBy: principal.id,
  });
  await auditKey(tx, 'key.issued', issued.key, { after: reachOf(issued.key) });
  return issued;
}

/**
 * When the caller's own key expires; undefined where it never does. The key is held until the
 * transaction ends, so that revoking it with what it has made finds what is made now.
 */
export async function holdOwn(tx: Transaction, principal: Principal): Promise<string | undefined> {
  if (principal.id === GIVEN_OPERATOR.id) return undefined;
  const own = await lockKey(tx, principal.id);
  if (own?.isLive !== true) throw new Unauthenticated('invalid');
  return principal.kind === 'operator' ? undefined : own.expires_at;
}

/** A key hands out nothing that works longer than itself. */
function requireNoLater(expiresAt: string | undefined, latest: string | undefined): void {
  if (latest === undefined) return;
  if (expiresAt === undefined || new Date(expiresAt) > new Date(latest))
    throw new Forbidden(`This key expires at ${latest} and cannot hand out one that works longer`);
}

/** Label, permissions and stores can change; null clears a label, and means every store. */
export async function changeKey(
  tx: Transaction,
  principal: Principal,
  id: string,
  patch: KeyPatch,
): Promise<Key> {
  const key = await lockManageable(tx, principal, id);
  if (key.merchant_id === undefined && (patch.permissions ?? patch.store_ids ?? undefined) !== undefined)
    throw new Conflict('An operator key may do everything; only its label can change');
  const { label = key.label, permissions = key.permissions, store_ids: storeIds = key.store_ids } = patch;
  requireReach(principal, { permissions, storeIds: storeIds ?? undefined });
  if (reachesFurther(key, permissions, storeIds))
    requireNoLater(key.expires_at, await holdOwn(tx, principal));
  const errors = new ErrorList();
  if (key.merchant_id !== undefined)
    await reportForeignStores(tx, key.merchant_id, patch.store_ids ?? [], errors);
  errors.throwIfAny();
  const changed = await updateKey(tx, {
    id,
    label: label ?? undefined,
    permissions: [...new Set(permissions)],
    storeIds: storeIds ? [...new Set(storeIds)] : undefined,
  });
  await auditKey(tx, 'key.changed', key, { before: reachOf(key), after: reachOf(changed) });
  return changed;
}

/** Whether the key, with these, may do more than it may now. */
function reachesFurther(
  { permissions: held, store_ids: own }: Key,
  permissions: Key['permissions'],
  storeIds: Key['store_ids'] | null,
): boolean {
  if (permissions.some((permission) => !held.includes(permission))) return true;
  return own !== undefined && (storeIds?.some((id) => !own.includes(id)) ?? true);
}

/** A link into the console that works once. */
export async function makeSignInLink(
  tx: Transaction,
  principal: Principal,
  id: string,
  request: IncomingMessage,
  originOf: PublicOrigin,
): Promise<{ url: string; expires_at: string }> {
  // The operator key that was given from outside is in no table: only a request that carries it knows it.
  const given = id === GIVEN_OPERATOR.id && principal.id === id ? request.headers['x-api-key'] : undefined;
  const key =
    typeof given === 'string'
      ? { id, hash: hashSecret(given), label: undefined }
      : await requireLive(tx, principal, await lockManageable(tx, principal, id));
  const expiresAt = new Date((await readClock(tx)).getTime() + DAY_MS);
  const code = await makeCode(tx, key.hash, expiresAt);
  await auditKey(tx, 'key.sign_in_link_made', key, { after: { label: key.label } });
  return { url: `${originOf(request)}/console#code=${code}`, expires_at: expiresAt.toISOString() };
}

/** What is made from a key works no longer than it, nor than the caller's own. */
async function requireLive(tx: Transaction, principal: Principal, key: LockedKey): Promise<LockedKey> {
  if (!key.isLive) throw new Conflict('This key no longer works. Issue a new one.');
  requireNoLater(key.expires_at, await holdOwn(tx, principal));
  return key;
}

/** Refuses an id that names no key which the caller can see. */
export async function requireKey(db: Queryable, principal: Principal, id: string): Promise<void> {
  if (id === principal.id) return;
  const key = isResourceId(id) ? await getKey(db, id) : undefined;
  if (!isOwn(principal, key)) throw new NotFound('Key');
  await refuseMovingNamed(db, principal, { merchantId: key.merchant_id });
}

function isOwn(principal: Principal, key: Key | undefined): key is Key {
  return key !== undefined && (principal.kind === 'operator' || key.merchant_id === principal.merchantId);
}

/** The key, held until the transaction ends, if the caller may change it: one of its own merchant that reaches no further. */
export async function lockManageable(tx: Transaction, principal: Principal, id: string) {
  const key = isResourceId(id) ? await lockKey(tx, id) : undefined;
  if (key === undefined || !isOwn(principal, key)) throw new NotFound('Key');
  requireReach(principal, { permissions: key.permissions, storeIds: key.store_ids });
  return key;
}

/** The new key has the same reach; the old one goes on for the overlap, so that tills can be changed one by one. */
export async function rotateKey(
  tx: Transaction,
  principal: Principal,
  id: string,
  overlapSeconds = DAY_SECONDS,
): Promise<IssuedKey> {
  const old = await lockManageable(tx, principal, id);
  const successor = await findSuccessor(tx, old);
  if (successor !== undefined)
    throw new Conflict(`This key was replaced by ${successor}. Rotate that one instead.`);
  await requireLive(tx, principal, old);
  const issued = await insertWithSecret(tx, {
    merchantId: old.merchant_id,
    storeIds: old.store_ids,
    permissions: old.permissions,
    label: old.label,
    expiresAt: old.expires_at,
    rotatedFrom: old.id,
    issuedBy: principal.id,
  });
  await endKeySoon(tx, id, overlapSeconds);
  await auditKey(tx, 'key.rotated', old, { after: { ...reachOf(issued.key), id: issued.key.id } });
  return issued;
}

/** What a key is called and may do. */
function reachOf({ label, permissions, store_ids: storeIds, expires_at: expiresAt }: Key): object {
  return { label, permissions, store_ids: storeIds, expires_at: expiresAt };
}

export function auditKey(
  tx: Transaction,
  type: string,
  { id, merchant_id: merchantId }: Pick<Key, 'id' | 'merchant_id'>,
  change: Pick<Change, 'before' | 'after'>,
): Promise<void> {
  return audit(tx, type, { merchantId, subject: id, ...change });
}

export async function newSecret(db: Queryable): Promise<string> {
  return createSecret((await readCell(db)).cell);
}

export async function insertWithSecret(
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
