import type { Principal } from '../../access/principal.js';
import { scopeOf } from '../../access/principal.js';
import type { Queryable, Transaction } from '../../postgres/database.js';
import { Conflict } from '../../support/errors.js';
import {
  ErrorList,
  shortInput,
  ValidationFailed,
  valueErrorDetail,
  type Loc,
} from '../../support/error-details.js';
import { newUuidV7 } from '../../support/uuid.js';
import { findStores } from '../../tenants/stores.sql.js';
import { readContent, readCurrentMenu } from '../versions/contents.sql.js';
import type { MenuContext } from '../context.js';
import type { RequestedPublication } from '../publish/prepare.js';
import {
  claimPublication,
  countScheduled,
  findDuePublications,
  insertPublication,
  type PlannedPublication,
  type PublicationRow,
} from './rollouts.sql.js';
import { currencyDiffers, PRICE_FIELDS } from './convert.js';
import { currencyChangeFor, NO_CURRENCY, runPublication } from './run.js';
import type { Menus } from '../rendering/menus.js';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import type { PublicationCreate } from './shapes.js';
import { DAY_MS } from '../../support/datetime.js';

const MOST_DAYS = 366;
const MOST_SCHEDULED = 100;
/** Merchants whose publications one process runs at a time. */
const MOST_RUNNING = 20;
const PUNCTUAL_SECONDS = 5;

/** Finds the stores and the menu of a request, and reports everything that is wrong about them. */
export async function planPublication(
  { menus, publishRate }: Pick<MenuContext, 'menus' | 'publishRate'>,
  db: Queryable,
  principal: Principal,
  { wanted, content }: RequestedPublication,
): Promise<PlannedPublication> {
  const errors = new ErrorList();
  const ids = [...new Set(wanted.store_ids)];
  const visible = await findStores(db, ids, scopeOf(principal));
  // An operator publishes for the merchant of the first store; the others must be of the same.
  const merchantId = ids.flatMap((id) => visible.get(id)?.merchantId ?? [])[0];
  const known = new Map([...visible].filter(([, store]) => store.merchantId === merchantId));
  wanted.store_ids.forEach((id, i) => {
    const store = known.get(id);
    if (store === undefined)
      reportUnknown(errors, ['store_ids', i], 'No store of the merchant has this id', id);
    else if (wanted.convert !== undefined && store.currency === undefined)
      errors.add(valueErrorDetail(['body', 'store_ids', i], NO_CURRENCY, id));
  });
  for (const id of Object.keys(wanted.expect ?? {}))
    if (!ids.includes(id)) reportUnknown(errors, ['expect', id], 'No store in store_ids has this id', id);
  const source =
    content === undefined
      ? await readSource(db, principal, wanted, errors)
      : // Amounts are in one currency, whichever store they are for.
        { content, currency: ids.flatMap((id) => known.get(id)?.currency ?? [])[0] };
  if (wanted.convert !== undefined && source !== undefined && source.currency === undefined)
    errors.add(valueErrorDetail(['body', 'convert'], 'the menu has no currency to convert from'));
  const at = wanted.at === undefined ? undefined : new Date(wanted.at);
  const ahead = at === undefined ? 0 : at.getTime() - Date.now();
  if (ahead < 0 || ahead > MOST_DAYS * DAY_MS)
    errors.add(valueErrorDetail(['body', 'at'], `at should lie ahead, within ${MOST_DAYS} days`, wanted.at));
  if (errors.total > 0 || merchantId === undefined || source === undefined)
    throw new ValidationFailed(errors.toArray());
  const row = {
    id: newUuidV7(),
    merchantId,
    keyId: principal.id,
    at,
    label: wanted.label,
    keep: [...new Set(wanted.keep)],
    entries: ids.map((id) => ({
      store_id: id,
      expect: wanted.expect?.[id],
      currency: source.currency,
      from: wanted.from?.store_id,
      rate: wanted.convert?.rate,
    })),
    content: Buffer.from(source.content),
  };
  await refuseOtherCurrencies(menus, db, row, wanted.store_ids, known);
  for (const id of ids) publishRate.count(id);
  return row;
}

/** Reports the stores of another currency that would get prices of the menu as they are. */
async function refuseOtherCurrencies(
  menus: Menus,
  db: Queryable,
  { merchantId, keep, content, entries }: PublicationRow,
  storeIds: readonly string[],
  stores: ReadonlyMap<string, RequestedStore>,
): Promise<void> {
  const errors = new ErrorList();
  for (const entry of entries) {
    const store = stores.get(entry.store_id);
    const currencyChange = store && currencyChangeFor(entry, store.currency);
    if (store === undefined || currencyChange === undefined || currencyChange.rate !== undefined) continue;
    const loc = ['body', 'store_ids', storeIds.indexOf(entry.store_id)];
    const refuse = (failed: ValidationFailed) => {
      for (const error of failed.errors) if (error.type === 'currency_differs') errors.add({ ...error, loc });
    };
    if (!PRICE_FIELDS.every((field) => keep.includes(field))) {
      refuse(currencyDiffers(currencyChange));
      continue;
    }
    const { storeKey } = store;
    const { content: current } = await readCurrentMenu(db, storeKey);
    await menus
      .onPublishingThread('retarget', { content, current, keep, currencyChange }, { merchantId })
      .catch((error: unknown) => {
        if (!(error instanceof ValidationFailed)) throw error;
        refuse(error);
      });
  }
  errors.throwIfAny();
}

export async function addPublication(tx: Transaction, row: PlannedPublication): Promise<void> {
  if (row.at !== undefined && (await countScheduled(tx, row.merchantId)) >= MOST_SCHEDULED)
    throw new Conflict(`A merchant may have at most ${MOST_SCHEDULED} scheduled publications`);
  await insertPublication(tx, row);
}

async function readSource(
  db: Queryable,
  principal: Principal,
  { from }: PublicationCreate,
  errors: ErrorList,
): Promise<{ readonly content: Uint8Array; readonly currency: string | undefined } | undefined> {
  if (from === undefined) return undefined;
  const { store_id: id, version } = from;
  const store = (await findStores(db, [id], scopeOf(principal))).get(id);
  if (store === undefined) {
    reportUnknown(errors, ['from', 'store_id'], 'No store has this id', id);
    return undefined;
  }
  const { storeKey, currency } = store;
  const content =
    version === undefined
      ? (await readCurrentMenu(db, storeKey)).content
      : await readContent(db, storeKey, version);
  if (content === undefined)
    reportUnknown(errors, ['from', 'version'], 'The store has no such version', version);
  else if (content.length === 0)
    errors.add(valueErrorDetail(['body', 'from', 'store_id'], 'the store has no menu yet', id));
  return content && { content, currency };
}

function reportUnknown(errors: ErrorList, loc: Loc, msg: string, input: unknown): void {
  errors.add({ loc: ['body', ...loc], msg, type: 'unresolved_reference', input: shortInput(input) });
}

/** Runs publications at their time, one of each merchant at a time. */
export function createPublicationClock(context: MenuContext, onFailure: (error: unknown) => void) {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  return {
    /** Starts the publications that are due. They continue after the promise has resolved. */
    async runDue() {
      const free = MOST_RUNNING - running.size;
      if (isStopped || free <= 0) return;
      for (const id of await findDuePublications(context.db, free)) {
        const row = await claimPublication(context.db, id, PUNCTUAL_SECONDS);
        if (row === undefined) continue;
        const run = runPublication(context, row, () => isStopped)
          .catch(onFailure)
          .finally(() => running.delete(run));
        running.add(run);
      }
    },
    /** Ends after the stores that are being published now, and leaves the rest to other processes. */
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}
