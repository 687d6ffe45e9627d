import { DatabaseUnavailable } from '../../domain/errors.js';
import { ValidationFailed } from '../../domain/faults.js';
import type { OrderFilter, OrderPage } from '../../domain/order/filter.js';
import { piecesOfSearch, type Piece } from '../../domain/order/grams.js';
import { isOverTime } from '../connection-errors.js';
import type { Database } from '../database.js';
import { createTurns } from '../turns.js';
import { listOrders, type ListedOrders } from './list-orders.js';
import { countToRead, findByGrams, findByReading, MOST_FOUND } from './search-orders.js';
import { createStoreSamples, hitsOf, shareOf, type StoreSample } from './store-samples.js';

export interface OrderFinder {
  find(storeKey: number, filter: OrderFilter, page: OrderPage): Promise<ListedOrders>;
}

/** Reading so many is short enough for the pool that serves everything else; a long name is as good as a thousand short ones. */
const MOST_READ_QUICKLY = { orders: 5_000, longOnes: 100 };
const MOST_GRAMS = 3;

/** Searches that read a store through have a pool of their own and a time limit, so that nothing else waits for them. */
export const SLOW_SEARCHES = 2;
const SLOW_SEARCH_MS = 5_000;

/** Lists orders by any filter, each in the cheapest way that is exact. */
export function createOrderFinder(db: Database, slowSearchMs = SLOW_SEARCH_MS): OrderFinder {
  const sampleStore = createStoreSamples(db);
  const turns = createTurns(SLOW_SEARCHES);
  const slowDb = db.beside({ poolSize: SLOW_SEARCHES, statementTimeoutMs: slowSearchMs });

  /** Runs a search that takes long in its turn, on the connections kept for that. */
  async function runSlowly<Found>(filter: OrderFilter, search: Search<Found>): Promise<Found> {
    const hasTurn = await turns.take(slowSearchMs);
    if (!hasTurn) throw tooBroad(filter);
    try {
      return await search(slowDb);
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
      const sample = await sampleStore(storeKey);
      const hasLongOnes = sample.longOnes > MOST_READ_QUICKLY.longOnes;
      const run = <Found>(isLong: boolean, search: Search<Found>) =>
        isLong ? runSlowly(filter, search) : search(db);

      const pieces = piecesOfSearch(storeKey, filter.name, filter.digits);
      const expected = shareOf(sample, filter.name, filter.digits) * sample.orders;
      if (pieces.length > 0 && expected <= MOST_FOUND) {
        const grams = rarestGrams(pieces, sample);
        const found = await run(hasLongOnes, (on) => findByGrams(on, storeKey, filter, grams, page));
        if (found !== undefined) return found;
      }
      const isLong = hasLongOnes || (await countToRead(db, storeKey, filter)) > MOST_READ_QUICKLY.orders;
      return run(isLong, (on) => findByReading(on, storeKey, filter, page));
    },
  };
}

type Search<Found> = (on: Database) => Promise<Found>;

/** Each gram costs the index a walk through its orders, so a few rare ones find faster than all of them. */
function rarestGrams(pieces: readonly Piece[], sample: StoreSample): number[] {
  return pieces
    .map((piece) => ({ gram: piece.gram, hits: hitsOf(sample, piece) }))
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
