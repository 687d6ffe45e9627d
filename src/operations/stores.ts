import type { Transaction } from '../db/database.js';
import { appendEvents } from '../db/events.js';
import { holdMerchant } from '../db/merchants.js';
import {
  findStoresOfMerchant,
  getStore,
  insertStore,
  lockStore,
  nextStoreKey,
  updateStore,
} from '../db/stores.js';
import { addStoreToEndpoints } from '../db/webhooks/cursors.js';
import { NotFound } from '../domain/errors.js';
import { storeUpdated } from '../domain/event/event.js';
import { shortInput, ValidationFailed, type Fault, type FaultList } from '../domain/faults.js';
import { isResourceId, newUuidV7 } from '../domain/uuid.js';
import { currencyOfCountry } from '../domain/store/currency.js';
import type { ManagedStore, PhoneNumber, StoreCreate, StorePatch } from '../domain/store/shapes.js';

/** `place` is for a store whose id and number are known beforehand. */
export async function createStore(
  tx: Transaction,
  store: StoreCreate,
  place?: { readonly id: string; readonly storeKey: number },
): Promise<ManagedStore> {
  await requireMerchant(tx, store.merchant_id);
  const storeKey = place?.storeKey ?? (await nextStoreKey(tx));
  // Like the id of an order, it leads to the store by itself: whoever stands in front of many installations can read it.
  const id = place?.id ?? newUuidV7(Date.now(), storeKey);
  const currency = store.currency ?? currencyOfCountry(store.country);
  const { phone_numbers: numbers, ...rest } = store;
  await insertStore(
    tx,
    { id, storeKey },
    {
      ...rest,
      ...(currency === undefined ? {} : { currency }),
      ...(numbers === undefined ? {} : { phone_numbers: withIds(numbers, []) }),
    },
  );
  await addStoreToEndpoints(tx, store.merchant_id, storeKey);
  return readExistingStore(tx, id);
}

/** The store to change, and who changes it. */
export interface StoreChange {
  readonly id: string;
  readonly storeKey: number;
  readonly patch: StorePatch;
  readonly keyId: string;
}

/** Null clears a field. A phone number that stays in the list keeps its id and date. */
export async function changeStore(tx: Transaction, change: StoreChange): Promise<ManagedStore> {
  const { id, patch } = change;
  await lockStore(tx, id);
  const before = await readExistingStore(tx, id);
  const { phone_numbers: numbers, ...rest } = patch;
  const currency = before.currency ?? currencyOfCountry(patch.country ?? undefined);
  const merged = {
    ...before,
    ...(currency === undefined ? {} : { currency }),
    ...rest,
    ...(numbers === undefined
      ? {}
      : { phone_numbers: numbers && withIds(numbers, before.phone_numbers ?? []) }),
  };
  await updateStore(tx, id, withoutNulls(merged));
  const after = await readExistingStore(tx, id);
  const changed = changedFields(before, after);
  if (changed.length > 0) {
    const act = { keyId: change.keyId, at: new Date().toISOString() };
    await appendEvents(tx, change.storeKey, [storeUpdated(changed, act)]);
  }
  return after;
}

function withoutNulls<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], null> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as {
    [Key in keyof T]: Exclude<T[Key], null>;
  };
}

function changedFields(before: ManagedStore, after: ManagedStore): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof ManagedStore)[]);
  return [...fields].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

export async function requireMerchant(tx: Transaction, id: string): Promise<void> {
  if (!isResourceId(id) || !(await holdMerchant(tx, id))) throw new ValidationFailed([unknownMerchant(id)]);
}

/** Also for a merchant that the caller may not know of. */
export function unknownMerchant(id: string): Fault {
  return {
    loc: ['body', 'merchant_id'],
    msg: 'No merchant has this id',
    type: 'unresolved_reference',
    input: shortInput(id),
  };
}

/** Reports each id under store_ids that is no store of the merchant, or not `among` those that the caller may name. */
export async function reportForeignStores(
  tx: Transaction,
  merchantId: string,
  ids: readonly string[],
  faults: FaultList,
  among?: readonly string[],
): Promise<void> {
  const asked = ids.filter((id) => isResourceId(id) && (among?.includes(id) ?? true));
  const known = await findStoresOfMerchant(tx, merchantId, asked);
  ids.forEach((id, at) => {
    if (known.has(id)) return;
    faults.add({
      loc: ['body', 'store_ids', at],
      msg: 'The merchant has no store with this id',
      type: 'unresolved_reference',
      input: shortInput(id),
    });
  });
}

async function readExistingStore(tx: Transaction, id: string): Promise<ManagedStore> {
  const store = await getStore(tx, id);
  if (store === undefined) throw new NotFound('Store');
  return store;
}

function withIds(
  wanted: readonly { phone_number: string }[],
  present: readonly PhoneNumber[],
): PhoneNumber[] {
  const now = new Date().toISOString();
  const left = [...present];
  return wanted.map(({ phone_number }) => {
    const at = left.findIndex((known) => known.phone_number === phone_number);
    const [known] = at < 0 ? [] : left.splice(at, 1);
    return known ?? { id: newUuidV7(), phone_number, create_date_time: now };
  });
}
