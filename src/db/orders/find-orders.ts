import { ValidationFailed } from '../../domain/faults.js';
import type { OrderFilter, OrderPage } from '../../domain/order/filter.js';
import { gramsOfSearch } from '../../domain/order/grams.js';
import { errorCode } from '../connection-errors.js';
import type { Database } from '../database.js';
import { createTurns } from '../turns.js';
import { listOrders, type ListedOrders } from './list-orders.js';
import { findByGrams, findByReading, sizeUpSearch } from './search-orders.js';

export interface OrderFinder {
  find(storeKey: number, filter: OrderFilter, page: OrderPage): Promise<ListedOrders>;
}

export interface OrderFinderOptions {
  readonly db: Database;
  /** A pool for searches that read a whole store through, with a statement timeout of its own. */
  readonly slowDb: Database;
  /** How many such searches run at once. */
  readonly slowSearches: number;
  /** How long such a search may wait for its turn. */
  readonly slowWaitMs: number;
}

/** So few orders are read through faster than any index answers. */
const FEW_ORDERS = 5_000;
/** Reading so many is still short enough for the pool that serves everything else. */
const MOST_READ_QUICKLY = 20_000;
const COMMON_SHARE = 0.01;
const QUERY_CANCELED = '57014';

/** Lists orders by any filter, each in the cheapest way that is exact. */
export function createOrderFinder({ db, slowDb, slowSearches, slowWaitMs }: OrderFinderOptions): OrderFinder {
  const turns = createTurns(slowSearches);

  async function read(
    storeKey: number,
    filter: OrderFilter,
    page: OrderPage,
    inRange: number,
  ): Promise<ListedOrders> {
    if (inRange <= MOST_READ_QUICKLY) return findByReading(db, storeKey, filter, page);
    const hasTurn = await turns.take(slowWaitMs);
    if (!hasTurn) throw tooBroad(filter);
    try {
      return await findByReading(slowDb, storeKey, filter, page);
    } catch (error) {
      throw errorCode(error) === QUERY_CANCELED ? tooBroad(filter) : error;
    } finally {
      turns.giveBack();
    }
  }

  return {
    async find(storeKey, filter, page) {
      if (filter.name === '' && filter.digits === '') return listOrders(db, storeKey, filter, page);
      const { inRange, share } = await sizeUpSearch(db, storeKey, filter);
      const grams = gramsOfSearch(storeKey, filter.name, filter.digits);
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
