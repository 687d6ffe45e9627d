import { createBatches } from '../db/batch.js';
import type { Database, Queryable, Transaction } from '../db/database.js';
import { appendEvents } from '../db/events.js';
import { findEntityId, findListed, type ListedEntity } from '../db/menu-entities.js';
import { findMark, putMark, readStockMarks } from '../db/menu-marks.js';
import { lockMenu, setMenuState } from '../db/menu-versions.js';
import type { StoreShare } from '../db/pools.js';
import { NotFound } from '../domain/errors.js';
import { type NewEvent, stockChanged } from '../domain/event/event.js';
import { ValidationFailed } from '../domain/faults.js';
import type { StockedKind } from '../domain/menu/kinds.js';
import { isInStock, nextRevision, type Mark } from '../domain/menu/marks.js';
import type { StockMark } from '../domain/menu/stock-shapes.js';
import { refuseLargeTree } from '../menu-rendering/tree.js';

export interface MarkRequest {
  readonly kind: StockedKind;
  readonly externalId: string;
  readonly mark: Mark;
  readonly keyId: string;
}

/** Marks an item or a modifier item; what the request leaves out stays as it is, an empty prep_type takes it away. */
export type MarkStock = (store: StoreShare, request: MarkRequest) => Promise<StockMark>;

const MOST_AT_ONCE = 100;

/** However many marks of a store are asked for, they hold one connection: those that come together share a transaction. */
export function createStockMarking(db: Database, mostTreeBytes: number): MarkStock {
  return createBatches<StoreShare, MarkRequest, StockMark>(
    ({ storeKey }) => storeKey,
    (store) => ({
      most: MOST_AT_ONCE,
      run: (requests) =>
        db.of(store).transaction((tx) => markAll(tx, store.storeKey, requests, mostTreeBytes)),
    }),
  );
}

/** Marks one after the other; one that is refused leaves the others alone. */
export async function markAll(
  tx: Transaction,
  storeKey: number,
  requests: readonly MarkRequest[],
  mostTreeBytes: number,
): Promise<(StockMark | Error)[]> {
  const state = await lockMenu(tx, storeKey);
  let { longestPrepType } = await readStockMarks(tx, storeKey);
  const events: NewEvent[] = [];

  const mark = async ({ kind, externalId, mark: wanted, keyId }: MarkRequest): Promise<StockMark> => {
    const entity = await findStocked(tx, storeKey, state.version, kind, externalId);
    const before = await findMark(tx, storeKey, entity.id);
    const prepType = wanted.prepType ?? before.prepType ?? '';
    const after: Mark = { inStock: wanted.inStock ?? before.inStock, prepType: prepType || undefined };
    const inStock = isInStock(after, entity.isStatedOut ? false : undefined);
    if (after.inStock !== before.inStock || prepType !== (before.prepType ?? '')) {
      const prepTypeBytes = Buffer.byteLength(JSON.stringify(prepType));
      // A prep_type is written wherever its item is nested, so it too can make the tree too large.
      if (prepType !== '' && prepTypeBytes > longestPrepType) {
        const limit = { mostBytes: mostTreeBytes, longestPrepType: prepTypeBytes };
        refuseLargeTree(entity, { ...limit, loc: ['body', 'prep_type'] });
        longestPrepType = prepTypeBytes;
      }
      await putMark(tx, storeKey, entity.id, after);
      events.push(stockChanged({ kind, externalId, inStock }, { keyId, at: new Date().toISOString() }));
    }
    return {
      id: entity.id,
      external_id: externalId,
      in_stock: inStock,
      ...(prepType === '' ? {} : { prep_type: prepType }),
    };
  };

  const marked: (StockMark | Error)[] = [];
  for (const request of requests) marked.push(await mark(request).catch(asRefusal));
  if (events.length > 0) {
    await setMenuState(tx, storeKey, { ...state, stockRevision: nextRevision(state.stockRevision) });
    await appendEvents(tx, storeKey, events);
  }
  return marked;
}

/** What the database refuses ends the transaction, and with it every mark in it. */
function asRefusal(error: unknown): Error {
  if (error instanceof NotFound || error instanceof ValidationFailed) return error;
  throw error;
}

async function findStocked(
  db: Queryable,
  storeKey: number,
  version: number,
  kind: StockedKind,
  externalId: string,
): Promise<ListedEntity> {
  const id = await findEntityId(db, storeKey, kind, externalId);
  const listed = id === undefined ? undefined : await findListed(db, storeKey, version, id);
  if (listed === undefined) throw new NotFound(kind === 'item' ? 'Item' : 'Modifier item');
  return listed;
}
