import type { Transaction } from '../db/database.js';
import { readEpoch, readEvents, readHeads } from '../db/events.js';
import { findStoreKey } from '../db/stores.js';
import { addCursors, moveCursor, removeOtherCursors, restartCursors } from '../db/webhook-cursors.js';
import {
  insertEndpoint,
  lockEndpoint,
  lockEndpointsOfMerchant,
  removeEndpoint,
  replaceSecret,
  updateEndpoint,
} from '../db/webhooks.js';
import { parseDatetime } from '../domain/datetime.js';
import { Conflict, NotFound } from '../domain/errors.js';
import { decodeCursor } from '../domain/event/cursor.js';
import { FaultList, shortInput, ValidationFailed, type Fault } from '../domain/faults.js';
import { maySeeMerchant, type Principal } from '../domain/key/principal.js';
import { isResourceId, newUuidV7 } from '../domain/uuid.js';
import type { AddressPolicy } from '../domain/webhook/addresses.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import type { SecretBox } from '../domain/webhook/secret-box.js';
import { openSecrets } from '../domain/webhook/secrets.js';
import type { WebhookCreate, WebhookPatch, WebhookReplay } from '../domain/webhook/shapes.js';
import { createSigningSecret } from '../domain/webhook/signature.js';
import { targetFault } from '../domain/webhook/target.js';
import { reportForeignStores } from './keys.js';
import { unknownMerchant } from './stores.js';

const MOST_ENDPOINTS = 50;
const OVERLAP_SECONDS = 86_400;
/** An event hardly waits longer than this for its number. */
const LONGEST_WAIT_MS = 10_000;

export interface MadeEndpoint {
  readonly endpoint: Endpoint;
  /** To be shown once. */
  readonly secret: string;
}

export interface EndpointTools {
  readonly box: SecretBox;
  readonly policy: AddressPolicy;
}

export async function createEndpoint(
  tx: Transaction,
  wanted: WebhookCreate,
  key: Principal,
  { box, policy }: EndpointTools,
): Promise<MadeEndpoint> {
  const faults = new FaultList();
  reportTarget(wanted.url, policy, faults);
  const merchant = await lockMerchant(tx, wanted.merchant_id, key, faults);
  const storeIds = merchant && (await chooseStores(tx, merchant.id, wanted.store_ids, key, faults));
  if (merchant === undefined || faults.total > 0) throw new ValidationFailed(faults.toArray());
  const { id: merchantId, endpoints } = merchant;
  if (endpoints >= MOST_ENDPOINTS)
    throw new Conflict(`A merchant may have at most ${MOST_ENDPOINTS} webhooks`);
  const id = newUuidV7();
  const secret = createSigningSecret();
  const endpoint = await insertEndpoint(tx, {
    id,
    merchantId,
    storeIds,
    url: wanted.url,
    types: distinct(wanted.types),
    label: wanted.label,
    includeOrder: wanted.include_order ?? false,
    skipOwn: wanted.skip_own ?? false,
    keyId: key.id,
    sealedWith: box.id,
    secret: box.seal(secret, id),
  });
  await addCursors(tx, { webhookId: id, merchantId, storeIds }, wanted.from ?? 'now');
  return { endpoint, secret };
}

/** Stores that come in begin now; what is active again, or goes elsewhere, is tried at once. */
export async function changeEndpoint(
  tx: Transaction,
  id: string,
  patch: WebhookPatch,
  key: Principal,
  policy: AddressPolicy,
): Promise<Endpoint> {
  const before = await requireEndpoint(tx, id);
  const faults = new FaultList();
  if (patch.url !== undefined) reportTarget(patch.url, policy, faults);
  await lockEndpointsOfMerchant(tx, before.merchantId);
  const { merchantId } = before;
  const storeIds =
    patch.store_ids === undefined
      ? before.storeIds
      : await chooseStores(tx, merchantId, patch.store_ids ?? undefined, key, faults);
  faults.throwIfAny();
  const status = patch.status ?? before.status;
  const after: Endpoint = {
    ...before,
    storeIds,
    url: patch.url ?? before.url,
    types: patch.types === undefined ? before.types : distinct(patch.types),
    label: patch.label === undefined ? before.label : (patch.label ?? undefined),
    includeOrder: patch.include_order === undefined ? before.includeOrder : (patch.include_order ?? false),
    skipOwn: patch.skip_own === undefined ? before.skipOwn : (patch.skip_own ?? false),
    status,
    disabledReason: status === 'active' ? undefined : (before.disabledReason ?? 'requested'),
  };
  await updateEndpoint(tx, after);
  if (patch.store_ids !== undefined) {
    await addCursors(tx, { webhookId: id, merchantId, storeIds }, 'now');
    await removeOtherCursors(tx, { webhookId: id, merchantId, storeIds });
  }
  await restartCursors(tx, id);
  return after;
}

/** Messages are signed with both secrets for a day, so that the receiver can change over in its own time. */
export async function rotateSecret(tx: Transaction, id: string, box: SecretBox): Promise<MadeEndpoint> {
  const endpoint = await requireEndpoint(tx, id);
  const secret = createSigningSecret();
  const [old] = endpoint.secrets.sealedWith === box.id ? openSecrets(box, id, endpoint.secrets) : [];
  const sealed = {
    sealedWith: box.id,
    secret: box.seal(secret, id),
    oldSecret: old === undefined ? undefined : box.seal(old, id),
  };
  await replaceSecret(tx, id, sealed, OVERLAP_SECONDS);
  await restartCursors(tx, id);
  return { endpoint: { ...endpoint, secrets: sealed }, secret };
}

export async function deleteEndpoint(tx: Transaction, id: string): Promise<void> {
  await requireEndpoint(tx, id);
  await removeEndpoint(tx, id);
}

/**
 * Moves the endpoint's place in a store: after the event of a cursor, before the first of a moment, to the end, or before
 * the oldest kept. Answers the store's number.
 */
export async function replayFrom(
  tx: Transaction,
  { id, merchantId }: Endpoint,
  { store_id: storeId, after }: WebhookReplay,
): Promise<number> {
  const storeKey = isResourceId(storeId) ? await findStoreKey(tx, merchantId, storeId) : undefined;
  if (storeKey === undefined) throw notToldOf(storeId);
  const [epoch, heads] = [await readEpoch(tx), await readHeads(tx, [storeKey])];
  const { first, last } = heads.get(storeKey) ?? { first: 1, last: 0 };
  const kept = { epoch, storeKey, first, last };
  const moment = parseDatetime(after ?? '');
  const sequence = moment.ok ? await placeBefore(tx, moment.instant.ms, kept) : placeOf(after, kept);
  if (!(await moveCursor(tx, id, storeKey, sequence))) throw notToldOf(storeId);
  return storeKey;
}

function notToldOf(storeId: string): ValidationFailed {
  return new ValidationFailed([
    {
      loc: ['body', 'store_id'],
      msg: 'The webhook is not told of a store with this id',
      type: 'unresolved_reference',
      input: shortInput(storeId),
    },
  ]);
}

interface Kept {
  readonly epoch: string;
  readonly storeKey: number;
  readonly first: number;
  readonly last: number;
}

function placeOf(after: string | undefined, { epoch, storeKey, first, last }: Kept): number {
  if (after === undefined) return first - 1;
  if (after === 'now') return last;
  const cursor = decodeCursor(after);
  const isOurs = cursor?.of === 'store' && cursor.epoch === epoch && cursor.storeKey === storeKey;
  if (!isOurs || cursor.sequence > last)
    throw new ValidationFailed([refusal('after', 'this is no cursor of an event of this store', after)]);
  if (cursor.sequence < first - 1) {
    const reason = 'the events after this cursor are no longer kept; leave it out to begin with the oldest';
    throw new ValidationFailed([refusal('after', reason, after)]);
  }
  return cursor.sequence;
}

/**
 * The last event before a moment, found by halving. The events of a store have their numbers nearly in the order of their
 * times: one that had to wait has an earlier time than those around it. So a little more is sent rather than too little.
 */
async function placeBefore(
  tx: Transaction,
  moment: number,
  { storeKey, first, last }: Kept,
): Promise<number> {
  const from = moment - LONGEST_WAIT_MS;
  let [before, end] = [first - 1, last];
  while (before < end) {
    const middle = Math.ceil((before + end) / 2);
    const [event] = await readEvents(tx, storeKey, middle - 1, 1);
    if (event !== undefined && Date.parse(event.at) < from) before = middle;
    else end = middle - 1;
  }
  return before;
}

async function requireEndpoint(tx: Transaction, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new NotFound('Webhook');
  return endpoint;
}

function reportTarget(url: string, policy: AddressPolicy, faults: FaultList): void {
  const reason = targetFault(url, policy);
  if (reason !== undefined) faults.add(refusal('url', reason, url));
}

/** A merchant's key acts for its merchant; an operator's must say for whom. Tells how many endpoints there are already. */
async function lockMerchant(
  tx: Transaction,
  wanted: string | undefined,
  key: Principal,
  faults: FaultList,
): Promise<{ id: string; endpoints: number } | undefined> {
  const id = wanted ?? (key.kind === 'merchant' ? key.merchantId : undefined);
  if (id === undefined) {
    faults.add({ loc: ['body', 'merchant_id'], msg: 'Field required', type: 'missing' });
    return undefined;
  }
  const mayExist = isResourceId(id) && maySeeMerchant(key, id);
  const endpoints = mayExist ? await lockEndpointsOfMerchant(tx, id) : undefined;
  if (endpoints !== undefined) return { id, endpoints };
  faults.add(unknownMerchant(id));
  return undefined;
}

/** A key of some stores makes no endpoint that is told of others. */
async function chooseStores(
  tx: Transaction,
  merchantId: string,
  wanted: readonly string[] | undefined,
  key: Principal,
  faults: FaultList,
): Promise<string[] | undefined> {
  const own = key.kind === 'merchant' ? key.storeIds : undefined;
  const ids = wanted ?? own;
  if (ids === undefined) return undefined;
  await reportForeignStores(tx, merchantId, ids, faults, own);
  return distinct(ids);
}

function distinct<T>(list: readonly T[] | null | undefined): T[] | undefined {
  return list ? [...new Set(list)] : undefined;
}

function refusal(field: string, reason: string, input: string): Fault {
  return {
    loc: ['body', field],
    msg: `Value error, ${reason}`,
    type: 'value_error',
    input: shortInput(input),
    ctx: { error: reason },
  };
}
