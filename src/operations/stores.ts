import type { Transaction } from '../db/database.js';
import { appendEvents } from '../db/events.js';
import { holdMerchant } from '../db/merchants.js';
import { getStore, insertStore, lockStore, nextStoreKey, updateStore } from '../db/stores.js';
import { addStoreToEndpoints } from '../db/webhook-cursors.js';
import { NotFound } from '../domain/errors.js';
import type { TellEvents } from '../domain/event/event.js';
import { storeUpdated } from '../domain/event/new-event.js';
import { ValidationFailed, shortInput } from '../domain/faults.js';
import { isResourceId } from '../domain/resource-id.js';
import { currencyOfCountry } from '../domain/store/currency.js';
import type { ManagedStore, PhoneNumber, StoreCreate, StorePatch } from '../domain/store/shapes.js';
import { newUuidV7 } from '../domain/uuid-v7.js';

/** `place` is for a store whose id and number are known beforehand. */
export async function createStore(
  tx: Transaction,
  store: StoreCreate,
  place?: { readonly id: string; readonly storeKey: number },
): Promise<ManagedStore> {
  await requireMerchant(tx, store.merchant_id);
  const id = place?.id ?? newUuidV7();
  const storeKey = place?.storeKey ?? (await nextStoreKey(tx));
  const currency = store.currency ?? currencyOfCountry(store.country);
  const phoneNumbers = store.phone_numbers && withIds(store.phone_numbers, []);
  const priced = { ...store, ...(currency === undefined ? {} : { currency }) };
  await insertStore(tx, { id, storeKey }, priced, phoneNumbers);
  await addStoreToEndpoints(tx, store.merchant_id, storeKey);
  return requireStore(tx, id);
}

/** The store to change, and who changes it. */
export interface StoreChange {
  readonly id: string;
  readonly storeKey: number;
  readonly patch: StorePatch;
  readonly keyId: string;
  readonly tell: TellEvents;
}

/** A phone number that stays in the list keeps its id and date. */
export async function changeStore(tx: Transaction, change: StoreChange): Promise<ManagedStore> {
  const { id, patch } = change;
  await lockStore(tx, id);
  const before = await requireStore(tx, id);
  const phoneNumbers = patch.phone_numbers && withIds(patch.phone_numbers, before.phone_numbers ?? []);
  const currency =
    patch.currency ?? (before.currency === undefined ? currencyOfCountry(patch.country) : undefined);
  await updateStore(tx, id, { ...patch, ...(currency === undefined ? {} : { currency }) }, phoneNumbers);
  const after = await requireStore(tx, id);
  const changed = changedFields(before, after);
  if (changed.length > 0) {
    const act = { keyId: change.keyId, at: new Date().toISOString() };
    await appendEvents(tx, change.storeKey, [storeUpdated(changed, act)], change.tell);
  }
  return after;
}

function changedFields(before: ManagedStore, after: ManagedStore): string[] {
  const fields = Object.keys(after) as (keyof ManagedStore)[];
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

export async function requireMerchant(tx: Transaction, id: string): Promise<void> {
  if (!isResourceId(id) || !(await holdMerchant(tx, id))) throw unknownMerchant(id);
}

/** Also for a merchant that the caller may not know of. */
export function unknownMerchant(id: string): ValidationFailed {
  return new ValidationFailed([
    {
      loc: ['body', 'merchant_id'],
      msg: 'No merchant has this id',
      type: 'unresolved_reference',
      input: shortInput(id),
    },
  ]);
}

async function requireStore(tx: Transaction, id: string): Promise<ManagedStore> {
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
