import { setTimeout as delay } from 'node:timers/promises';
import { audit, type Change } from '../../audit/audit.sql.js';
import { newEvent } from '../../events/event.js';
import { appendEvents } from '../../events/events.sql.js';
import type { Transaction } from '../../postgres/database.js';
import type { Actor } from '../../support/actor.js';
import { MerchantMoving, NotFound, Overloaded, PreconditionFailed } from '../../support/errors.js';
import { ValidationFailed, valueErrorDetail } from '../../support/error-details.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import type { CopiedStore } from '../../tenants/stores.js';
import { findStores } from '../../tenants/stores.sql.js';
import { readCurrentMenu } from '../versions/contents.sql.js';
import type { MenuState } from '../versions/versions.sql.js';
import type { PreparedMenu } from '../publish/prepared-menu.js';
import { publishMenu, wouldPublish } from '../publish/publish.js';
import type { MenuContext } from '../context.js';
import { addPhotos, listPhotos, type PhotoRow } from '../photos/photos.sql.js';
import { nextRevision } from '../stock/marks.js';
import { setStockRevision } from '../stock/stock.sql.js';
import type { CurrencyChange } from './convert.js';
import {
  endPublication,
  lockEntry,
  setEntry,
  setLease,
  type PublicationEntry,
  type PublicationRow,
} from './rollouts.sql.js';

const RENEW_EVERY_MS = 3_000;
const TRY_AGAIN_MS = 1_000;
const NOTHING = { added: 0, removed: 0, changed: 0 };

/** What a publication is and where it goes. */
export type PublicationPlan = Pick<PublicationRow, 'merchantId' | 'keep' | 'content'>;
type RunContext = Pick<MenuContext, 'db' | 'menus' | 'limits' | 'queuePublish' | 'queueRollout'>;
type Outcome = Omit<PublicationEntry, 'store_id' | 'expect'>;

/** A menu that is ready to be published in a store; `outcome` is the result if that succeeds. */
interface Ready {
  readonly preparedMenu: PreparedMenu;
  readonly fromVersion: number;
  readonly outcome: Outcome;
}

/**
 * Publishes in every store that is still to be done, until `isStopped`. The result of a store is written in the transaction
 * that publishes its menu, so a process that takes over after a crash publishes nothing twice.
 */
export async function runPublication(
  context: RunContext,
  row: PublicationRow,
  isStopped: () => boolean = () => false,
  by?: Actor,
): Promise<void> {
  const renewal = setInterval(
    () => void setLease(context.db, row.id, 'later').catch(() => undefined),
    RENEW_EVERY_MS,
  ).unref();
  try {
    for (const [position, entry] of row.entries.entries()) {
      if (isStopped()) return await setLease(context.db, row.id, 'now');
      if (entry.result === undefined) await publishTo(context, row, position, entry, by);
    }
    await endPublication(context.db, row.id, 'done');
  } finally {
    clearInterval(renewal);
  }
}

async function publishTo(
  context: RunContext,
  row: PublicationRow,
  position: number,
  entry: PublicationEntry,
  by: Actor | undefined,
): Promise<void> {
  const { id, keyId, merchantId } = row;
  for (;;) {
    const store = await findStore(context, row, entry);
    if (store === undefined)
      return record(context, row, position, entry, { result: 'gone', from_version: 0, counts: NOTHING });
    const { storeKey } = store;
    const publish = async () => {
      const judged = await prepareFor(context, row, store, entry);
      if (!('preparedMenu' in judged)) return judged;
      const { preparedMenu, fromVersion, outcome } = judged;
      const photos = await readPhotosOf(context, row, entry);
      await context.db.forTenant({ merchantId, storeKey }, by).transaction(async (tx) => {
        if ((await lockEntry(tx, id, position))?.result !== undefined) return;
        const { state, additions } = await publishMenu(tx, {
          storeKey,
          keyId,
          preparedMenu,
          limits: context.limits,
          acceptsCurrent: (_, newest) => newest === fromVersion,
          publicationId: id,
        });
        await bringPhotos(tx, { merchantId, storeKey }, photos, state, { subject: id, keyId });
        const result = additions === undefined ? 'unchanged' : 'published';
        await setEntry(tx, id, position, { ...entry, ...outcome, result, version: state.version });
      });
      return undefined;
    };
    try {
      const prepared = await context.queueRollout(store, () => context.queuePublish(store, publish));
      return prepared && (await record(context, row, position, entry, prepared, storeKey));
    } catch (error) {
      if (error instanceof ValidationFailed) {
        const { version } = await readCurrentMenu(context.db, storeKey);
        return record(context, row, position, entry, refused(error, version), storeKey);
      }
      // A store that was deleted meanwhile is looked for again, and a menu that has changed is read again.
      if (error instanceof Overloaded) await delay(TRY_AGAIN_MS);
      else if (error instanceof MerchantMoving) throw error;
      else if (!(error instanceof PreconditionFailed || error instanceof NotFound)) throw error;
    }
  }
}

/** Works out the result for a store without changing anything. */
export async function judgeStore(
  context: RunContext,
  plan: PublicationPlan,
  entry: PublicationEntry,
  signal: AbortSignal,
): Promise<PublicationEntry> {
  const { db, limits } = context;
  const shown = (outcome: Outcome) => ({ store_id: entry.store_id, ...outcome });
  const store = await findStore(context, plan, entry);
  if (store === undefined) return shown({ result: 'gone', from_version: 0, counts: NOTHING });
  const { storeKey } = store;
  try {
    return await context.queueRollout({ ...store, signal }, async () => {
      const judged = await prepareFor(context, plan, store, entry);
      if (!('preparedMenu' in judged)) return shown(judged);
      const { preparedMenu, outcome } = judged;
      const publishes = await wouldPublish(db, { storeKey, preparedMenu, limits });
      return shown({ ...outcome, result: publishes ? 'published' : 'unchanged' });
    });
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return shown(refused(error, (await readCurrentMenu(db, storeKey)).version));
  }
}

/** Publishes the current menu of a store in a new one, in the transaction that makes it. */
export async function copyMenu(
  { menus, limits }: Pick<MenuContext, 'menus' | 'limits'>,
  tx: Transaction,
  from: CopiedStore,
  to: CopiedStore,
): Promise<void> {
  const { version, content } = await readCurrentMenu(tx, from.storeKey);
  if (version === 0) return;
  const { content: current } = await readCurrentMenu(tx, to.storeKey);
  const request = { content, current, keep: [], currencyChange: currencyChangeFor(from, to.currency) };
  const { preparedMenu } = await menus.onPublishingThread('retarget', request, to);
  const keyId = tx.by?.keyId ?? 'operator';
  const { state } = await publishMenu(tx, { storeKey: to.storeKey, keyId, preparedMenu, limits });
  await bringPhotos(tx, to, await listPhotos(tx, from.storeKey), state, { subject: from.id, keyId });
}

/** Gives items that have no photo those that come with their menu. */
async function bringPhotos(
  tx: Transaction,
  { merchantId, storeKey }: StoreTenant,
  photos: readonly PhotoRow[],
  { stockRevision }: MenuState,
  entry: Pick<Change, 'subject' | 'keyId'>,
): Promise<void> {
  const added = photos.length === 0 ? 0 : await addPhotos(tx, merchantId, storeKey, photos);
  if (added === 0) return;
  await setStockRevision(tx, storeKey, nextRevision(stockRevision));
  await audit(tx, 'photo.set', { ...entry, storeKey, after: { photos: added } });
}

async function prepareFor(
  { db, menus }: RunContext,
  { merchantId, keep, content }: PublicationPlan,
  { storeKey, currency }: RequestedStore,
  entry: PublicationEntry,
): Promise<Ready | Outcome> {
  const { expect } = entry;
  const tenant = { merchantId, storeKey };
  const { version, content: current } = await readCurrentMenu(db.forTenant(tenant), storeKey);
  if (expect !== undefined && expect !== version)
    return {
      result: 'changed_since',
      from_version: version,
      counts: NOTHING,
      detail: `Version ${version} is current, not ${expect}`,
    };
  const currencyChange = currencyChangeFor(entry, currency);
  const request = { content, current, keep, currencyChange };
  const { preparedMenu, counts } = await menus.onPublishingThread('retarget', request, tenant);
  return { preparedMenu, fromVersion: version, outcome: { from_version: version, counts } };
}

/** The photos that come with a menu from another store of the merchant. */
async function readPhotosOf(
  context: RunContext,
  plan: PublicationPlan,
  { from }: PublicationEntry,
): Promise<PhotoRow[]> {
  const source = from === undefined ? undefined : await findStore(context, plan, { store_id: from });
  return source === undefined ? [] : listPhotos(context.db, source.storeKey);
}

async function findStore(
  { db }: RunContext,
  { merchantId }: PublicationPlan,
  { store_id: id }: Pick<PublicationEntry, 'store_id'>,
): Promise<RequestedStore | undefined> {
  return (await findStores(db, [id], { merchantId })).get(id);
}

export const NO_CURRENCY = 'the store has no currency to convert to';

/** A currency that nobody has stated differs from none, but no rate leads to it. */
export function currencyChangeFor(
  { currency: from, rate }: { readonly currency?: string | undefined; readonly rate?: string | undefined },
  to: string | undefined,
): CurrencyChange | undefined {
  if (rate !== undefined && to === undefined)
    throw new ValidationFailed([valueErrorDetail(['body', 'convert'], NO_CURRENCY)]);
  return from === undefined || to === undefined || from === to ? undefined : { from, to, rate };
}

function refused({ errors }: ValidationFailed, version: number): Outcome {
  const [first, ...more] = errors;
  const detail = `${first?.msg ?? 'Refused'}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
  return { result: 'refused', from_version: version, counts: NOTHING, detail };
}

/** Writes what came of a store where nothing was published, with an event if the store is there. */
async function record(
  { db }: RunContext,
  { id, keyId }: PublicationRow,
  position: number,
  entry: PublicationEntry,
  outcome: Outcome,
  storeKey?: number,
): Promise<void> {
  await db.transaction(async (tx: Transaction) => {
    if ((await lockEntry(tx, id, position))?.result !== undefined) return;
    await setEntry(tx, id, position, { ...entry, ...outcome });
    if (storeKey === undefined) return;
    const act = { keyId, at: new Date().toISOString() };
    const data = { publication_id: id, result: outcome.result ?? 'refused', detail: outcome.detail };
    await appendEvents(tx, storeKey, [newEvent('menu.publication_refused', act, data)]);
  });
}
