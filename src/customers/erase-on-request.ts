import { audit } from '../audit/audit.sql.js';
import { scopeOf, type Principal } from '../access/principal.js';
import type { Database, Queryable, SharedDatabase } from '../postgres/database.js';
import type { Actor } from '../support/actor.js';
import { ErrorList, unresolvedReference, valueErrorDetail } from '../support/error-details.js';
import { findNamedStores, type NamedStore } from '../tenants/stores.sql.js';
import { eraseOrders, ordersByStore } from './erase.js';
import { findErasable, noteErasures } from './erase.sql.js';
import { findByPhone } from './find.sql.js';
import { MOST_STORES, type EraseReport, type EraseRequest } from './shapes.js';

/** Who asks, and the caller's share of the database. */
interface Caller {
  readonly principal: Principal;
  readonly by: Actor;
  readonly db: SharedDatabase;
}

/** The orders to erase, store by store and in batches, and the ids that do not exist. */
interface Plan {
  readonly stores: readonly {
    readonly store: NamedStore;
    readonly nextIds: (after?: string) => Promise<readonly string[]>;
  }[];
  readonly absent: readonly string[];
}

/** Erases by phone number or by order. Everything is checked before the first order is erased. */
export async function eraseOnRequest(
  db: Database,
  caller: Caller,
  request: EraseRequest,
): Promise<EraseReport> {
  const { phone, dry_run: isDryRun = false } = request;
  const errors = new ErrorList();
  const planPhone = async (wanted: string): Promise<Plan> => {
    const stores = await chooseStores(caller, request.store_ids, errors);
    const nextIdsOf = (store: NamedStore) => (after?: string) =>
      findByPhone(db.forTenant(store), store.storeKey, wanted, after);
    return { stores: stores.map((store) => ({ store, nextIds: nextIdsOf(store) })), absent: [] };
  };
  const plan = await (phone === undefined ? planOrders(db, caller, request, errors) : planPhone(phone));
  errors.throwIfAny();
  const { absent } = plan;
  const subject = phone === undefined ? 'order_ids' : 'phone';
  if (!isDryRun && absent.length > 0)
    await caller.db.transaction(async (tx) => {
      await noteErasures(tx, absent);
      await audit(tx, 'customers.erased', { subject, after: { absent_orders: absent.length } });
    });
  const stores: EraseReport['stores'] = [];
  for (const { store, nextIds } of plan.stores) {
    let orders = 0;
    for (let ids = await nextIds(); ids.length > 0; ids = await nextIds(ids.at(-1)))
      orders += isDryRun
        ? await countErasable(db.forTenant(store), store.storeKey, ids)
        : await eraseOrders(db.forTenant(store, caller.by), store.storeKey, ids, subject);
    if (orders > 0) stores.push({ store_id: store.id, orders });
  }
  return { dry_run: isDryRun, orders: stores.reduce((sum, { orders }) => sum + orders, 0), stores };
}

async function countErasable(db: Queryable, storeKey: number, ids: readonly string[]): Promise<number> {
  return [...(await findErasable(db, storeKey, ids)).values()].filter((isErased) => !isErased).length;
}

/**
 * An unknown order is refused. Only an operator may name orders that are not here: they are listed, and erased when a backup
 * brings them back.
 */
async function planOrders(
  db: Database,
  caller: Caller,
  { order_ids: orderIds = [], store_ids: storeIds }: EraseRequest,
  errors: ErrorList,
): Promise<Plan> {
  const { principal } = caller;
  const perStore = ordersByStore(orderIds);
  const named = storeIds && (await chooseStores(caller, storeIds, errors)).map(({ id }) => id);
  const wanted = { ids: named, storeKeys: [...perStore.keys()] };
  const found = await findNamedStores(caller.db, scopeOf(principal), wanted, orderIds.length);
  const absent: string[] = [];
  const stores = [];
  for (const [storeKey, orders] of perStore) {
    const ids = orders.map(({ id }) => id);
    const store = found.find((each) => each.storeKey === storeKey);
    const known = store && (await findErasable(db.forTenant(store), storeKey, ids));
    const mayBeAbsent = principal.kind === 'operator' && storeIds === undefined && storeKey > 0;
    for (const { id, place } of orders) {
      if (known?.has(id) === true) continue;
      if (mayBeAbsent) absent.push(id);
      else errors.add(unresolvedReference(['body', 'order_ids', place], 'No order has this id', id));
    }
    if (store !== undefined)
      stores.push({ store, nextIds: (after?: string) => Promise.resolve(after === undefined ? ids : []) });
  }
  return { stores, absent };
}

/** The named stores, each of which must be in the key's reach, or all that are. */
async function chooseStores(
  { db, principal }: Caller,
  storeIds: readonly string[] | undefined,
  errors: ErrorList,
): Promise<NamedStore[]> {
  const stores = await findNamedStores(db, scopeOf(principal), { ids: storeIds }, MOST_STORES + 1);
  if (stores.length > MOST_STORES)
    errors.add(
      valueErrorDetail(['body', 'store_ids'], `name at most ${MOST_STORES} of the stores of this key`),
    );
  storeIds?.forEach((id, i) => {
    if (!stores.some((store) => store.id === id))
      errors.add(unresolvedReference(['body', 'store_ids', i], 'No store has this id', id));
  });
  return stores;
}
