import type { Transaction } from '../db/database.js';
import { addCursors, removeOtherCursors, restartCursors } from '../db/webhooks/cursors.js';
import {
  insertEndpoint,
  lockEndpoint,
  lockEndpointsOfMerchant,
  removeEndpoint,
  replaceSecret,
  updateEndpoint,
} from '../db/webhooks/endpoints.js';
import { Conflict, NotFound } from '../domain/errors.js';
import { FaultList, ValidationFailed, valueFault } from '../domain/faults.js';
import { maySeeMerchant, type Principal } from '../domain/key/principal.js';
import { isResourceId, newUuidV7 } from '../domain/uuid.js';
import { type AddressPolicy, urlFault } from '../domain/webhook/addresses.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import { type SecretBox, openSecrets } from '../domain/webhook/secret-box.js';
import type { WebhookCreate, WebhookPatch } from '../domain/webhook/shapes.js';
import { createSigningSecret } from '../domain/webhook/signature.js';
import { reportForeignStores, unknownMerchant } from './stores.js';

const MOST_ENDPOINTS = 50;
const OVERLAP_SECONDS = 86_400;

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
  principal: Principal,
  { box, policy }: EndpointTools,
): Promise<MadeEndpoint> {
  const faults = new FaultList();
  reportTarget(wanted.url, policy, faults);
  const merchant = await lockMerchant(tx, wanted.merchant_id, principal, faults);
  const storeIds = merchant && (await chooseStores(tx, merchant.id, wanted.store_ids, principal, faults));
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
    keyId: principal.id,
    sealedWith: box.id,
    secret: box.seal(secret, id),
  });
  await addCursors(tx, { webhookId: id, merchantId, storeIds }, wanted.from ?? 'now');
  return { endpoint, secret };
}

/** A store that is added begins with its next event; what is waiting for a retry is tried at once. */
export async function changeEndpoint(
  tx: Transaction,
  id: string,
  patch: WebhookPatch,
  principal: Principal,
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
      : await chooseStores(tx, merchantId, patch.store_ids ?? undefined, principal, faults);
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

async function requireEndpoint(tx: Transaction, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new NotFound('Webhook');
  return endpoint;
}

function reportTarget(url: string, policy: AddressPolicy, faults: FaultList): void {
  const reason = urlFault(url, policy);
  if (reason !== undefined) faults.add(valueFault(['body', 'url'], reason, url));
}

/** A merchant's key acts for its merchant; an operator's must say for whom. Tells how many endpoints there are already. */
async function lockMerchant(
  tx: Transaction,
  wanted: string | undefined,
  principal: Principal,
  faults: FaultList,
): Promise<{ id: string; endpoints: number } | undefined> {
  const id = wanted ?? (principal.kind === 'merchant' ? principal.merchantId : undefined);
  if (id === undefined) {
    faults.add({ loc: ['body', 'merchant_id'], msg: 'Field required', type: 'missing' });
    return undefined;
  }
  const mayExist = isResourceId(id) && maySeeMerchant(principal, id);
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
  principal: Principal,
  faults: FaultList,
): Promise<string[] | undefined> {
  const own = principal.kind === 'merchant' ? principal.storeIds : undefined;
  const ids = wanted ?? own;
  if (ids === undefined) return undefined;
  await reportForeignStores(tx, merchantId, ids, faults, own);
  return distinct(ids);
}

function distinct<T>(list: readonly T[] | null | undefined): T[] | undefined {
  return list ? [...new Set(list)] : undefined;
}
