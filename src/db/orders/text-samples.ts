import type { SearchGram } from '../../domain/order/grams.js';
import type { Database, Queryable } from '../database.js';
import type { StoreShare } from '../pools.js';
import { countedParts } from './order-counts.js';

/** Names and phones of some of a store's newest orders: which way of a search is the cheapest is guessed from them. */
export interface StoreSample {
  /** How many orders the store had. */
  readonly orders: number;
  /** How many of them have a name or phone too long for the indexes, which every search reads; counted up to a few. */
  readonly longNames: number;
  readonly names: readonly string[];
  readonly digits: readonly string[];
}

export type SampleStore = (store: StoreShare) => Promise<StoreSample>;

const SAMPLED = 300;
const SAMPLED_CHARACTERS = 64;
const LONG_ONES_COUNTED = 1_000;
const KEPT_STORES = 200;
const KEPT_MS = 60_000;

/**
 * Keeps the samples for a minute: an old one makes a search slower at worst, never wrong. Those who ask at once share one
 * query.
 */
export function createStoreSamples(db: Database): SampleStore {
  const kept = new Map<number, { readonly until: number; readonly sample: Promise<StoreSample> }>();
  return (store) => {
    const { storeKey } = store;
    const known = kept.get(storeKey);
    if (known !== undefined && performance.now() < known.until) return known.sample;
    const sample = readSample(db.of(store), storeKey);
    kept.delete(storeKey);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_STORES && oldest !== undefined) kept.delete(oldest);
    const entry = { until: performance.now() + KEPT_MS, sample };
    kept.set(storeKey, entry);
    sample.catch(() => {
      if (kept.get(storeKey) === entry) kept.delete(storeKey);
    });
    return sample;
  };
}

/** Which share of the store's orders seems to have both texts, from 0 to 1. */
export function expectedShare({ names, digits }: StoreSample, name: string, phone: string): number {
  if (names.length === 0) return 0;
  return names.filter((each, at) => each.includes(name) && digits[at]?.includes(phone)).length / names.length;
}

/** How many of the sampled orders have it. */
export function hitsOf(sample: StoreSample, { of, text }: SearchGram): number {
  return (of === 'name' ? sample.names : sample.digits).filter((each) => each.includes(text)).length;
}

async function readSample(db: Queryable, storeKey: number): Promise<StoreSample> {
  const [row] = await db.query<SampleRow>({
    name: 'orders-sample',
    text: SAMPLE,
    values: [storeKey],
    repeatable: true,
  });
  return {
    orders: Number(row?.orders ?? 0),
    longNames: Number(row?.long_ones ?? 0),
    names: row?.names ?? [],
    digits: row?.digits ?? [],
  };
}

interface SampleRow {
  readonly orders: string;
  readonly long_ones: string;
  readonly names: string[] | null;
  readonly digits: string[] | null;
}

const SAMPLE = `
  SELECT (SELECT p.n FROM (${countedParts(undefined, undefined)}) p) AS orders,
         (SELECT count(*) FROM (
           SELECT FROM order_search s WHERE s.store_key = $1 AND s.is_long LIMIT ${LONG_ONES_COUNTED}) s) AS long_ones,
         array_agg(o.name) AS names, array_agg(o.digits) AS digits
  FROM (
    SELECT coalesce(left(o.name_key, ${SAMPLED_CHARACTERS}), '') AS name,
           coalesce(left(o.digits_key, ${SAMPLED_CHARACTERS}), '') AS digits
    FROM orders o WHERE o.store_key = $1
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${SAMPLED}
  ) o`;
