import type { Transaction } from '../db/database.js';
import { appendEvents } from '../db/events.js';
import { findEntityId } from '../db/menu-entities.js';
import { findMark, putMark, readStockMarks } from '../db/menu-marks.js';
import { findListed, lockMenu, setMenuState, type ListedEntity } from '../db/menu-versions.js';
import { NotFound } from '../domain/errors.js';
import type { TellEvents } from '../domain/event/event.js';
import { stockChanged } from '../domain/event/new-event.js';
import type { StockedKind } from '../domain/menu/kinds.js';
import { isInStock, nextRevision, type Mark } from '../domain/menu/marks.js';
import type { StockMark } from '../domain/menu/stock-shapes.js';
import { refuseLargeTree } from '../domain/menu/tree-limit.js';

export interface MarkRequest {
  readonly storeKey: number;
  readonly kind: StockedKind;
  readonly externalId: string;
  readonly mark: Mark;
  readonly mostTreeBytes: number;
  readonly keyId: string;
  readonly tell: TellEvents;
}

/** Marks an item or a modifier item; what the request leaves out stays as it is, an empty prep_type takes it away. */
export async function markStock(tx: Transaction, request: MarkRequest): Promise<StockMark> {
  const { storeKey, kind, externalId, mark, mostTreeBytes } = request;
  const state = await lockMenu(tx, storeKey);
  const entity = await findStocked(tx, storeKey, state.version, kind, externalId);
  const before = await findMark(tx, storeKey, entity.id);
  const after: Mark = {
    inStock: mark.inStock ?? before.inStock,
    prepType: mark.prepType ?? before.prepType,
  };
  const inStock = isInStock(after, entity.isStatedOut ? false : undefined);
  if (after.inStock !== before.inStock || (after.prepType ?? '') !== (before.prepType ?? '')) {
    await putMark(tx, storeKey, entity.id, after.prepType === '' ? { ...after, prepType: undefined } : after);
    await setMenuState(tx, storeKey, { ...state, stockRevision: nextRevision(state.stockRevision) });
    // A prep_type is written wherever its item is nested, so it too can make the tree too large.
    if (mark.prepType !== undefined) {
      const { longestPrepType } = await readStockMarks(tx, storeKey);
      refuseLargeTree(entity, { mostBytes: mostTreeBytes, longestPrepType, loc: ['body', 'prep_type'] });
    }
    const act = { keyId: request.keyId, at: new Date().toISOString() };
    await appendEvents(tx, storeKey, [stockChanged({ kind, externalId, inStock }, act)], request.tell);
  }
  const prepType = after.prepType ?? '';
  return {
    id: entity.id,
    external_id: externalId,
    in_stock: inStock,
    ...(prepType === '' ? {} : { prep_type: prepType }),
  };
}

export async function findStocked(
  tx: Pick<Transaction, 'query'>,
  storeKey: number,
  version: number,
  kind: StockedKind,
  externalId: string,
): Promise<ListedEntity> {
  const id = await findEntityId(tx, storeKey, kind, externalId);
  const listed = id === undefined ? undefined : await findListed(tx, storeKey, version, id);
  if (listed === undefined) throw new NotFound(kind === 'item' ? 'Item' : 'Modifier item');
  return listed;
}
