import { LRUCache } from 'lru-cache';
import { CONNECTIONS } from '../../support/bounds.js';
import type { Database, Queryable } from '../../postgres/database.js';
import { isOverTime } from '../../postgres/errors.js';
import { DatabaseUnavailable, Overloaded, SearchTooBroad } from '../../support/errors.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import { countedParts } from './counts.sql.js';
import { countToRead, listByGrams, listByReading, MOST_FOUND } from './by-text.sql.js';
import { listByTime, type ListedOrders, type OrderFilter, type OrderPage } from './by-time.sql.js';
import { gramsOfSearch, type SearchGram } from './search-text.js';

/** Lists a page of a store's orders, newest first. */
export type ListOrders = (store: StoreTenant, filter: OrderFilter, page: OrderPage) => Promise<ListedOrders>;

interface SearchLimits {
  /** How long a search may run in the database. */
  readonly longestMs: number;
  /** A search that reads no more than this and still times out was delayed by others. */
  readonly mostInTime: ToRead;
}

interface ToRead {
  readonly orders: number;
  readonly longNames: number;
}

/** Reading this much is short enough for the pool that serves everything else; a long name costs as much as many short ones. */
const MOST_READ_QUICKLY: ToRead = { orders: 5_000, longNames: 100 };
const MOST_GRAMS = 3;

const LIMITS: SearchLimits = { longestMs: 5_000, mostInTime: { orders: 1_000_000, longNames: 500 } };

/** Lists orders by any filter: by time and status alone, or in the cheapest exact way that also searches their texts. */
export function createOrderLister(db: Database, limits = LIMITS): ListOrders {
  const sampleStore = createStoreSamples(db);
  const slowDb = db.sidePool({ poolSize: CONNECTIONS.searches, statementTimeoutMs: limits.longestMs });

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
      throw isWithin(toRead, limits.mostInTime) ? new Overloaded() : tooBroad(filter);
    }
  }

  return async (store, filter, page) => {
    const { storeKey } = store;
    const own = db.forTenant(store);
    const slow = slowDb.forTenant(store);
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
  };
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

/** Names and phones of some of a store's newest orders: which way of a search is the cheapest is guessed from them. */
interface StoreSample {
  readonly orders: number;
  /** How many of them have a name or phone too long for the indexes, which every search reads; counted up to a few. */
  readonly longNames: number;
  readonly names: readonly string[];
  readonly digits: readonly string[];
}

const SAMPLED = 300;
const SAMPLED_CHARACTERS = 64;
const LONG_ONES_COUNTED = 1_000;
const KEPT_STORES = 200;
const KEPT_MS = 60_000;

/** Keeps the samples for a minute: an old one makes a search slower at worst, never wrong. Those who ask at once share a query. */
function createStoreSamples(db: Database): (store: StoreTenant) => Promise<StoreSample> {
  const kept = new LRUCache<number, StoreSample, StoreTenant>({
    max: KEPT_STORES,
    ttl: KEPT_MS,
    ignoreFetchAbort: true,
    fetchMethod: (storeKey, _, { context }) => readSample(db.forTenant(context), storeKey),
  });
  return (store) => kept.forceFetch(store.storeKey, { context: store });
}

/** The estimated share of the store's orders that have both texts, from 0 to 1. */
function expectedShare({ names, digits }: StoreSample, name: string, phone: string): number {
  if (names.length === 0) return 0;
  return names.filter((each, i) => each.includes(name) && digits[i]?.includes(phone)).length / names.length;
}

/** How many of the sampled orders have it. */
function hitsOf(sample: StoreSample, { of, text }: SearchGram): number {
  return (of === 'name' ? sample.names : sample.digits).filter((each) => each.includes(text)).length;
}

async function readSample(db: Queryable, storeKey: number): Promise<StoreSample> {
  const [sample] = await db.read<StoreSample>({ name: 'orders-sample', text: SAMPLE, values: [storeKey] });
  return sample ?? { orders: 0, longNames: 0, names: [], digits: [] };
}

const SAMPLE = `
  SELECT (SELECT p.n FROM (${countedParts(undefined, undefined)}) p) AS orders,
         (SELECT count(*) FROM (
           SELECT FROM order_search s WHERE s.store_key = $1 AND s.is_long LIMIT ${LONG_ONES_COUNTED}) s) AS "longNames",
         coalesce(array_agg(o.name), '{}') AS names, coalesce(array_agg(o.digits), '{}') AS digits
  FROM (
    SELECT coalesce(left(o.name_key, ${SAMPLED_CHARACTERS}), '') AS name,
           coalesce(left(o.digits_key, ${SAMPLED_CHARACTERS}), '') AS digits
    FROM orders o WHERE o.store_key = $1
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${SAMPLED}
  ) o`;
