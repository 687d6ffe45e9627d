import { DatabaseUnavailable } from '../../domain/errors.js';
import { ValidationFailed } from '../../domain/faults.js';
import type { OrderFilter, OrderPage } from '../../domain/order/filter.js';
import { piecesOfSearch, type Piece } from '../../domain/order/grams.js';
import { isOverTime } from '../connection-errors.js';
import type { Database } from '../database.js';
import { createTurns } from '../turns.js';
import { listOrders, type ListedOrders } from './list-orders.js';
import { findByGrams, findByReading, sizeUpSearch } from './search-orders.js';

export interface OrderFinder {
  find(storeKey: number, filter: OrderFilter, page: OrderPage): Promise<ListedOrders>;
}

/** So few orders are read through faster than any index answers. */
const FEW_ORDERS = 5_000;
/** Reading so many is still short enough for the pool that serves everything else. */
const MOST_READ_QUICKLY = 20_000;
const COMMON_SHARE = 0.01;
const MOST_GRAMS = 3;

/** Searches that read a store through have a pool of their own and a time limit, so that nothing else waits for them. */
export const SLOW_SEARCHES = 2;
const SLOW_SEARCH_MS = 5_000;

/** Lists orders by any filter, each in the cheapest way that is exact. */
export function createOrderFinder(db: Database, slowSearchMs = SLOW_SEARCH_MS): OrderFinder {
  const turns = createTurns(SLOW_SEARCHES);
  const slowDb = db.beside({ poolSize: SLOW_SEARCHES, statementTimeoutMs: slowSearchMs });

  async function read(
    storeKey: number,
    filter: OrderFilter,
    page: OrderPage,
    inRange: number,
  ): Promise<ListedOrders> {
    if (inRange <= MOST_READ_QUICKLY) return findByReading(db, storeKey, filter, page);
    const hasTurn = await turns.take(slowSearchMs);
    if (!hasTurn) throw tooBroad(filter);
    try {
      return await findByReading(slowDb, storeKey, filter, page);
    } catch (error) {
      const isTooBroad = error instanceof DatabaseUnavailable && isOverTime(error.cause);
      throw isTooBroad ? tooBroad(filter) : error;
    } finally {
      turns.giveBack();
    }
  }

  return {
    async find(storeKey, filter, page) {
      if (filter.name === '' && filter.digits === '') return listOrders(db, storeKey, filter, page);
      const pieces = piecesOfSearch(storeKey, filter.name, filter.digits);
      const { inRange, share, pieceHits } = await sizeUpSearch(db, storeKey, filter, pieces);
      const grams = rarestGrams(pieces, pieceHits);
      if (inRange <= FEW_ORDERS || share >= COMMON_SHARE || grams.length === 0) {
        return read(storeKey, filter, page, inRange);
      }
      return (
        (await findByGrams(db, storeKey, filter, grams, page)) ??
        (await read(storeKey, filter, page, inRange))
      );
    },
  };
}

/** Each gram costs the index a walk through its orders, so a few rare ones find faster than all of them. */
function rarestGrams(pieces: readonly Piece[], hits: readonly number[]): number[] {
  return pieces
    .map(({ gram }, at) => ({ gram, hits: hits[at] ?? 0 }))
    .sort((a, b) => a.hits - b.hits)
    .slice(0, MOST_GRAMS)
    .map(({ gram }) => gram);
}

function tooBroad(filter: OrderFilter): ValidationFailed {
  const parameter = filter.name === '' ? 'phone_number' : 'customer_name';
  return new ValidationFailed([
    {
      loc: ['query', parameter],
      msg: 'Too many orders would have to be read for this: narrow the search',
      type: 'query_too_broad',
    },
  ]);
}
