import type { Transaction } from '../postgres/database.js';
import { audit } from '../audit/audit.sql.js';
import { appendEvents } from '../events/events.sql.js';
import { lockMerchant } from './merchants.sql.js';
import {
  findNamedStores,
  findStores,
  getStore,
  insertStore,
  lockStore,
  nextStoreKey,
  updateStore,
  type NamedStore,
  type WritableStore,
} from './stores.sql.js';
import { requireFound } from '../support/errors.js';
import { newEvent } from '../events/event.js';
import {
  unresolvedReference,
  ValidationFailed,
  type ErrorDetail,
  type ErrorList,
} from '../support/error-details.js';
import { withoutNulls } from '../postgres/without-nulls.js';
import { isResourceId, newUuidV7 } from '../support/uuid.js';
import { currencyOfCountry } from './currency.js';
import { mergeSettings, settings } from './settings.js';
import {
  STORE_UPDATED,
  type ManagedStore,
  type PhoneNumber,
  type StoreCreate,
  type StorePatch,
} from './shapes.js';

const NO_STORE = 'The merchant has no store with this id';

/** A store whose parts are copied, or to which they are. */
export interface CopiedStore extends NamedStore {
  readonly currency: string | undefined;
}

/** What a new store gets from one like it, room by room. */
export type CopyParts = (
  tx: Transaction,
  from: CopiedStore,
  to: CopiedStore,
  withMenu: boolean,
) => Promise<void>;

/** Creates a store with the settings of another of its merchant, and with its hours, places and printers. */
export async function createStoreLike(
  tx: Transaction,
  { like, menu, ...store }: StoreCreate,
  copyParts: CopyParts,
): Promise<ManagedStore> {
  if (like === undefined && menu === true)
    throw new ValidationFailed([{ loc: ['body', 'like'], msg: 'Field required', type: 'missing' }]);
  if (like === undefined) return createStore(tx, store);
  const { merchant_id: merchantId } = store;
  await requireMerchant(tx, merchantId);
  const [from] = await findNamedStores(tx, { merchantId }, { ids: [like] }, 1);
  if (from === undefined) throw new ValidationFailed([unresolvedReference(['body', 'like'], NO_STORE, like)]);
  const { id: _1, created_at: _2, name: _3, merchant: _4, ...source } = await readExistingStore(tx, from.id);
  const alike = Object.fromEntries(Object.entries(source).filter(([field]) => LIKE.includes(field)));
  // Another country has a currency of its own.
  if (store.country !== undefined) delete alike['currency'];
  const made = await createStore(tx, { ...alike, ...store }, { like });
  const [to] = await findNamedStores(tx, { merchantId }, { ids: [made.id] }, 1);
  if (to !== undefined) {
    const { currency } = source;
    await copyParts(tx, { ...from, currency }, { ...to, currency: made.currency }, menu === true);
  }
  return readExistingStore(tx, made.id);
}

/** What makes stores alike; names, addresses and phones are each store's own. */
const LIKE: readonly string[] = [
  ...Object.keys(settings),
  ...['timezone', 'country', 'currency', 'store_type', 'restaurant_configuration', 'orders_checked'],
];

interface CreateOptions {
  /** For a store with a fixed id and number. */
  readonly place?: { readonly id: string; readonly storeKey: number };
  /** The store whose settings, hours, places and printers it gets, for the audit log. */
  readonly like?: string;
}

export async function createStore(
  tx: Transaction,
  store: StoreCreate,
  { place, like }: CreateOptions = {},
): Promise<ManagedStore> {
  await requireMerchant(tx, store.merchant_id);
  const storeKey = place?.storeKey ?? (await nextStoreKey(tx));
  // Like an order id, it contains the store's number, so that a proxy in front of many installations can route by it.
  const id = place?.id ?? newUuidV7(Date.now(), storeKey);
  const { merchant_id, ...fields } = store;
  await insertStore(tx, { id, storeKey }, { merchant_id, ...patched({}, fields) });
  const made = await readExistingStore(tx, id);
  const { id: _1, created_at: _2, merchant: _3, ...facts } = made;
  await audit(tx, 'store.created', {
    merchantId: store.merchant_id,
    storeId: id,
    subject: id,
    after: { ...facts, like },
  });
  return made;
}

/** The store to change, and who changes it. */
export interface StoreChange {
  readonly id: string;
  readonly storeKey: number;
  readonly patch: StorePatch;
  readonly keyId: string;
}

/** Null clears a field. A phone number that remains in the list keeps its id and date. */
export async function changeStore(tx: Transaction, change: StoreChange): Promise<ManagedStore> {
  const { id, patch } = change;
  await lockStore(tx, id);
  const before = await readExistingStore(tx, id);
  await updateStore(tx, id, patched(before, patch));
  const after = await readExistingStore(tx, id);
  const changed = changedFields(before, after);
  if (changed.length > 0) {
    await audit(tx, 'store.changed', { storeId: id, subject: id, before, after });
    const act = { keyId: change.keyId, at: new Date().toISOString() };
    await appendEvents(tx, change.storeKey, [newEvent(STORE_UPDATED, act, { changed })]);
  }
  return after;
}

/** A currency that is not stated is that of the country. */
function patched(before: Partial<ManagedStore>, patch: StorePatch): WritableStore {
  const { phone_numbers: numbers, accept, guest, ...rest } = patch;
  const { accept: _1, guest: _2, ...kept } = before;
  const currency = before.currency ?? currencyOfCountry(patch.country ?? undefined);
  return withoutNulls({
    ...kept,
    ...(currency !== undefined && { currency }),
    ...rest,
    ...mergeSettings(before, accept, guest),
    ...(numbers !== undefined && {
      phone_numbers: numbers && withIds(numbers, before.phone_numbers ?? []),
    }),
  }) as WritableStore;
}

function changedFields(before: ManagedStore, after: ManagedStore): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof ManagedStore)[]);
  return [...fields].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

export async function requireMerchant(tx: Transaction, id: string): Promise<void> {
  if (!isResourceId(id) || !(await lockMerchant(tx, id))) throw new ValidationFailed([unknownMerchant(id)]);
}

/** Also reported for a merchant that the caller may not see. */
export function unknownMerchant(id: string): ErrorDetail {
  return unresolvedReference(['body', 'merchant_id'], 'No merchant has this id', id);
}

/** Reports each id in store_ids that is not a store of the merchant, or not `among` those that the caller may name. */
export async function reportForeignStores(
  tx: Transaction,
  merchantId: string,
  ids: readonly string[],
  errors: ErrorList,
  among?: readonly string[],
): Promise<void> {
  const asked = ids.filter((id) => isResourceId(id) && (among?.includes(id) ?? true));
  const known = await findStores(tx, asked, { merchantId });
  ids.forEach((id, index) => {
    if (!known.has(id)) errors.add(unresolvedReference(['body', 'store_ids', index], NO_STORE, id));
  });
}

async function readExistingStore(tx: Transaction, id: string): Promise<ManagedStore> {
  return requireFound(await getStore(tx, id), 'Store');
}

function withIds(
  wanted: readonly { phone_number: string }[],
  present: readonly PhoneNumber[],
): PhoneNumber[] {
  const now = new Date().toISOString();
  const left = [...present];
  return wanted.map(({ phone_number }) => {
    const index = left.findIndex((known) => known.phone_number === phone_number);
    const [known] = index < 0 ? [] : left.splice(index, 1);
    return known ?? { id: newUuidV7(), phone_number, create_date_time: now };
  });
}
