import { Busy, DatabaseUnavailable, SearchTooBroad } from '../../domain/errors.js';
import type { OrderFilter, OrderPage } from '../../domain/order/filter.js';
import { gramsOfSearch, type SearchGram } from '../../domain/order/grams.js';
import { createBatches } from '../batch.js';
import { isOverTime } from '../connection-errors.js';
import type { Database, Queryable } from '../database.js';
import { confirmingCallers, type ExpectedCaller } from '../expected-caller.js';
import type { StoreShare } from '../pools.js';
import { listByTime, type ListedOrders } from './list-by-time.js';
import { countToRead, listByGrams, listByReading, MOST_FOUND } from './list-by-text.js';
import { createStoreSamples, hitsOf, expectedShare, type StoreSample } from './text-samples.js';

/** Lists a page of a store's orders, newest first. */
export type ListOrders = (
  store: StoreShare,
  filter: OrderFilter,
  page: OrderPage,
  expected?: ExpectedCaller,
) => Promise<ListedOrders>;

interface SearchLimits {
  /** What a search may take of the database's time. */
  readonly longestMs: number;
  /** A search that reads no more than this and is late all the same was kept waiting by others. */
  readonly mostInTime: ToRead;
}

/** What a search reads through. */
interface ToRead {
  readonly orders: number;
  readonly longNames: number;
}

/** Reading so many is short enough for the pool that serves everything else; a long name costs as much as many short ones. */
const MOST_READ_QUICKLY: ToRead = { orders: 5_000, longNames: 100 };
const MOST_GRAMS = 3;

/** Searches that read a store through have a pool of their own and a time limit, so that nothing else waits for them. */
export const SLOW_SEARCHES = 2;
const LIMITS: SearchLimits = { longestMs: 5_000, mostInTime: { orders: 1_000_000, longNames: 500 } };

/**
 * Lists orders by any filter: by time and status alone, or in the cheapest exact way that also searches their texts. Whoever
 * asks for the same list while it is being read shares the next reading of it, which begins after all of them have asked.
 */
export function createOrderLister(db: Database, limits = LIMITS): ListOrders {
  const sampleStore = createStoreSamples(db);
  const slowDb = db.sidePool({ poolSize: SLOW_SEARCHES, statementTimeoutMs: limits.longestMs });

  /** On the connections kept for what takes long, of which a merchant never has all. */
  async function runSlowly<Found>(
    on: Queryable,
    filter: OrderFilter,
    toRead: ToRead,
    search: Search<Found>,
  ): Promise<Found> {
    try {
      return await search(on);
    } catch (error) {
      const isLate = error instanceof DatabaseUnavailable && isOverTime(error.cause);
      if (!isLate) throw error;
      throw isWithin(toRead, limits.mostInTime) ? new Busy() : tooBroad(filter);
    }
  }

  async function listNow(
    store: StoreShare,
    filter: OrderFilter,
    page: OrderPage,
    callers: readonly ExpectedCaller[],
  ): Promise<ListedOrders> {
    const { storeKey } = store;
    const own = confirmingCallers(db.of(store), callers);
    const slow = confirmingCallers(slowDb.of(store), callers);
    if (filter.name === '' && filter.digits === '') return listByTime(own, storeKey, filter, page);
    const sample = await sampleStore(store);
    const run = <Found>(toRead: ToRead, search: Search<Found>) =>
      isWithin(toRead, MOST_READ_QUICKLY) ? search(own) : runSlowly(slow, filter, toRead, search);

    const wanted = gramsOfSearch(storeKey, filter.name, filter.digits);
    const expected = expectedShare(sample, filter.name, filter.digits) * sample.orders;
    const { longNames } = sample;
    if (wanted.length > 0 && expected <= MOST_FOUND) {
      const grams = rarestGrams(wanted, sample);
      const found = await run({ orders: 0, longNames }, (on) =>
        listByGrams(on, storeKey, filter, grams, page),
      );
      if (found !== undefined) return found;
    }
    const orders = await countToRead(own, storeKey, filter);
    return run({ orders, longNames }, (on) => listByReading(on, storeKey, filter, page));
  }

  // Every till of a store asks for the same page when it hears of a new order.
  const askAlike = createBatches<AskedList, ExpectedCaller | undefined, ListedOrders>(
    ({ store, filter, page }) => JSON.stringify([store.storeKey, filter, page]),
    ({ store, filter, page }) => ({
      run: async (expected) => {
        const callers = expected.filter((caller) => caller !== undefined);
        const listed = await listNow(store, filter, page, callers);
        return expected.map(() => listed);
      },
      most: Infinity,
    }),
  );
  return (store, filter, page, expected) => askAlike({ store, filter, page }, expected);
}

interface AskedList {
  readonly store: StoreShare;
  readonly filter: OrderFilter;
  readonly page: OrderPage;
}

type Search<Found> = (on: Queryable) => Promise<Found>;

function isWithin(toRead: ToRead, most: ToRead): boolean {
  return toRead.orders <= most.orders && toRead.longNames <= most.longNames;
}

/** Each gram costs the index a walk through its orders, so a few rare ones find faster than all of them. */
function rarestGrams(wanted: readonly SearchGram[], sample: StoreSample): number[] {
  return wanted
    .map((one) => ({ gram: one.gram, hits: hitsOf(sample, one) }))
    .sort((a, b) => a.hits - b.hits)
    .slice(0, MOST_GRAMS)
    .map(({ gram }) => gram);
}

function tooBroad(filter: OrderFilter): SearchTooBroad {
  return new SearchTooBroad(filter.name === '' ? 'phone' : 'name');
}
