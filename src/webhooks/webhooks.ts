import type { Transaction } from '../postgres/database.js';
import { audit } from '../audit/audit.sql.js';
import { readEpoch, readKeptRanges, type KeptRange } from '../events/events.sql.js';
import { withoutNulls } from '../postgres/without-nulls.js';
import { holdOwn } from '../tenants/keys.js';
import { findNamedStores } from '../tenants/stores.sql.js';
import { addCursors, findLastBefore, removeOtherCursors, restartCursors } from './cursors.sql.js';
import {
  disableActiveEndpoints,
  findEndpoint,
  insertEndpoint,
  lockEndpointsOfMerchant,
  removeEndpoint,
  replaceSecret,
  updateEndpoint,
} from './endpoints.sql.js';
import { parseDatetime } from '../support/datetime.js';
import { Conflict, requireFound } from '../support/errors.js';
import { decodeCursor } from '../events/cursor.js';
import {
  ErrorList,
  unresolvedReference,
  ValidationFailed,
  valueError,
  valueErrorDetail,
} from '../support/error-details.js';
import { maySeeMerchant, type Principal } from '../access/principal.js';
import { isResourceId, newUuidV7 } from '../support/uuid.js';
import { type AddressPolicy, urlError } from './addresses.js';
import { createSigningSecret, type SecretBox } from './secrets.js';
import type { Endpoint, WebhookCreate, WebhookPatch, WebhookReplay } from './shapes.js';
import { reportForeignStores, unknownMerchant } from '../tenants/stores.js';

const MAX_ENDPOINTS = 50;
const OVERLAP_SECONDS = 86_400;

export interface MadeEndpoint {
  readonly endpoint: Endpoint;
  /** To be shown once. */
  readonly secret: string;
}

export async function createEndpoint(
  tx: Transaction,
  wanted: WebhookCreate,
  principal: Principal,
  box: SecretBox,
  policy: AddressPolicy,
): Promise<MadeEndpoint> {
  const errors = new ErrorList();
  reportTarget(wanted.url, policy, errors);
  const merchant = await lockMerchant(tx, wanted.merchant_id, principal, errors);
  const storeIds = merchant && (await chooseStores(tx, merchant.id, wanted.store_ids, principal, errors));
  if (merchant === undefined || errors.total > 0) throw new ValidationFailed(errors.toArray());
  const { id: merchantId, endpoints } = merchant;
  await holdOwn(tx, principal);
  if (endpoints >= MAX_ENDPOINTS) throw new Conflict(`A merchant may have at most ${MAX_ENDPOINTS} webhooks`);
  const id = newUuidV7();
  const secret = createSigningSecret();
  const { from = 'now', include_order = false, skip_own = false, ...settings } = withDistinctTypes(wanted);
  const endpoint = await insertEndpoint(tx, {
    ...settings,
    ...(storeIds && { store_ids: storeIds }),
    id,
    merchant_id: merchantId,
    include_order,
    skip_own,
    key_id: principal.id,
    sealed_with: box.id,
    secret: box.seal(secret, id),
  });
  await addCursors(tx, { webhookId: id, merchantId, storeIds }, from);
  await audit(tx, 'webhook.created', { merchantId, subject: id, after: auditedParts(endpoint) });
  return { endpoint, secret };
}

/** A store that is added begins with its next event; what is waiting for a retry is tried at once. */
export async function changeEndpoint(
  tx: Transaction,
  { id, merchant_id: merchantId }: Endpoint,
  patch: WebhookPatch,
  principal: Principal,
  policy: AddressPolicy,
): Promise<Endpoint> {
  // The merchant first, as when it is deleted: in the opposite order, each of the two would wait for the other.
  await lockEndpointsOfMerchant(tx, merchantId);
  const before = await requireEndpoint(tx, id);
  const errors = new ErrorList();
  if (patch.url !== undefined) reportTarget(patch.url, policy, errors);
  const storeIds =
    patch.store_ids === undefined
      ? before.store_ids
      : await chooseStores(tx, merchantId, patch.store_ids ?? undefined, principal, errors);
  errors.throwIfAny();
  const { include_order = before.include_order, skip_own = before.skip_own } = patch;
  const merged = withoutNulls({ ...before, ...withDistinctTypes(patch), store_ids: storeIds ?? null });
  const { disabled_reason: reason = 'requested', ...settings } = merged;
  const after: Endpoint = {
    ...settings,
    include_order: include_order === true,
    skip_own: skip_own === true,
    ...(settings.status === 'disabled' && { disabled_reason: reason }),
  };
  await updateEndpoint(tx, after);
  if (patch.store_ids !== undefined) {
    // Stores that it covered without having a cursor there yet begin with their first event all the same.
    if (before.store_ids === undefined)
      await addCursors(tx, { webhookId: id, merchantId, storeIds: undefined }, 'start');
    await addCursors(tx, { webhookId: id, merchantId, storeIds }, 'now');
    await removeOtherCursors(tx, { webhookId: id, merchantId, storeIds });
  }
  await restartCursors(tx, id);
  const parts = { before: auditedParts(before), after: auditedParts(after) };
  await audit(tx, 'webhook.changed', { merchantId, subject: id, ...parts });
  return after;
}

/** Messages are signed with both secrets for a day, so that the receiver can change over in its own time. */
export async function rotateSecret(tx: Transaction, id: string, box: SecretBox): Promise<MadeEndpoint> {
  const endpoint = await requireEndpoint(tx, id);
  const secret = createSigningSecret();
  const old = endpoint.sealed_with === box.id ? endpoint.secret : undefined;
  const rotated = { ...endpoint, sealed_with: box.id, secret: box.seal(secret, id), old_secret: old };
  await replaceSecret(tx, rotated, OVERLAP_SECONDS);
  await audit(tx, 'webhook.secret_rotated', { merchantId: endpoint.merchant_id, subject: id });
  await restartCursors(tx, id);
  return { endpoint: rotated, secret };
}

/** Disables the webhooks made with these keys, all of them or none. */
export async function disableEndpointsOfKeys(tx: Transaction, keyIds: readonly string[]): Promise<void> {
  for (const { id, merchant_id: merchantId } of await disableActiveEndpoints(tx, keyIds)) {
    await restartCursors(tx, id);
    const parts = { before: { status: 'active' }, after: { status: 'disabled' } };
    await audit(tx, 'webhook.changed', { merchantId, subject: id, ...parts });
  }
}

export async function deleteEndpoint(tx: Transaction, id: string): Promise<void> {
  const endpoint = await requireEndpoint(tx, id);
  await removeEndpoint(tx, id);
  const { merchant_id: merchantId } = endpoint;
  await audit(tx, 'webhook.removed', { merchantId, subject: id, before: auditedParts(endpoint) });
}

/** Of the address only the host: the rest may hold a secret. */
function auditedParts(endpoint: Endpoint): object {
  const { url, label, types, store_ids, include_order, skip_own, status } = endpoint;
  return { host: new URL(url).host, label, types, store_ids, include_order, skip_own, status };
}

async function requireEndpoint(tx: Transaction, id: string): Promise<Endpoint> {
  return requireFound(await findEndpoint(tx, id, true), 'Webhook');
}

function reportTarget(url: string, policy: AddressPolicy, errors: ErrorList): void {
  const reason = urlError(url, policy);
  if (reason !== undefined) errors.add(valueErrorDetail(['body', 'url'], reason, url));
}

/** A merchant's key acts for its merchant; an operator's must say for whom. Tells how many endpoints there are already. */
async function lockMerchant(
  tx: Transaction,
  wanted: string | undefined,
  principal: Principal,
  errors: ErrorList,
): Promise<{ id: string; endpoints: number } | undefined> {
  const id = wanted ?? (principal.kind === 'merchant' ? principal.merchantId : undefined);
  if (id === undefined) {
    errors.add({ loc: ['body', 'merchant_id'], msg: 'Field required', type: 'missing' });
    return undefined;
  }
  const mayExist = isResourceId(id) && maySeeMerchant(principal, id);
  const endpoints = mayExist ? await lockEndpointsOfMerchant(tx, id) : undefined;
  if (endpoints !== undefined) return { id, endpoints };
  errors.add(unknownMerchant(id));
  return undefined;
}

/** A key of some stores makes no endpoint that covers others. */
async function chooseStores(
  tx: Transaction,
  merchantId: string,
  wanted: readonly string[] | undefined,
  principal: Principal,
  errors: ErrorList,
): Promise<string[] | undefined> {
  const own = principal.kind === 'merchant' ? principal.storeIds : undefined;
  const ids = wanted ?? own;
  if (ids === undefined) return undefined;
  await reportForeignStores(tx, merchantId, ids, errors, own);
  return [...new Set(ids)];
}

function withDistinctTypes<Stated extends WebhookCreate | WebhookPatch>(stated: Stated): Stated {
  return stated.types ? { ...stated, types: [...new Set(stated.types)] } : stated;
}

/**
 * Moves the endpoint's cursor in a store: after the event of a cursor, before the first of a moment, to the end, or before
 * the oldest kept. Answers the store's number.
 */
export async function replayFrom(
  tx: Transaction,
  { id, merchant_id: merchantId }: Endpoint,
  { store_id: storeId, after }: WebhookReplay,
): Promise<number> {
  const [store] = await findNamedStores(tx, { merchantId }, { ids: [storeId] }, 1);
  if (store === undefined) throw notCovered(storeId);
  const { storeKey } = store;
  const [epoch, ranges] = [await readEpoch(tx), await readKeptRanges(tx, [storeKey])];
  const { first, last } = ranges.get(storeKey) ?? { first: 1, last: 0 };
  const moment = parseDatetime(after ?? '');
  const sequence = moment.ok
    ? ((await findLastBefore(tx, storeKey, new Date(moment.instant.ms))) ?? last)
    : sequenceOf(after, { epoch, storeKey, first, last });
  if (!(await restartCursors(tx, id, { storeKey, sequence }))) throw notCovered(storeId);
  await audit(tx, 'webhook.replayed', { merchantId, storeId, subject: id, after: { after } });
  return storeKey;
}

function notCovered(storeId: string): ValidationFailed {
  const msg = 'The webhook does not cover a store with this id';
  return new ValidationFailed([unresolvedReference(['body', 'store_id'], msg, storeId)]);
}

function sequenceOf(
  after: string | undefined,
  { epoch, storeKey, first, last }: KeptRange & { readonly epoch: string; readonly storeKey: number },
): number {
  if (after === undefined) return first - 1;
  if (after === 'now') return last;
  const cursor = decodeCursor(after);
  const isOurs = cursor?.of === 'store' && cursor.epoch === epoch && cursor.storeKey === storeKey;
  if (!isOurs || cursor.sequence > last)
    throw valueError(['body', 'after'], 'not a cursor of an event of this store', after);
  if (cursor.sequence < first - 1) {
    const reason = 'the events after this cursor are no longer kept; omit it to start with the oldest';
    throw valueError(['body', 'after'], reason, after);
  }
  return cursor.sequence;
}
