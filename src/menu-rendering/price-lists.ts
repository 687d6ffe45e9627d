import type { Database } from '../db/database.js';
import { readContent } from '../db/menu-contents.js';
import { readStockState, type StockState } from '../db/menu-marks.js';
import { readIds, type MenuState } from '../db/menu-versions.js';
import type { PriceList } from '../domain/quote/price-list.js';
import type { ByteCache } from './byte-cache.js';
import { isAsNew, isCurrent, type Made } from './freshness.js';
import { ownedBuffers, type MenuAsker } from './jobs.js';
import { openPriceList } from './prices/open-price-list.js';
import type { PriceIndex } from './prices/price-index.js';
import { createSharedWork } from './shared-work.js';
import type { Threads } from './threads.js';

/** A menu as orders are priced by it. */
interface MenuPrices extends Made {
  readonly list: PriceList;
}

/** With what the next stock of the same version needs. */
export interface KeptPrices extends MenuPrices {
  readonly publication: string;
  readonly index: PriceIndex;
}

export interface PriceLists {
  /** Prices at least as new as the given state, if they are in memory. */
  cached(storeKey: number, wanted: MenuState): MenuPrices | undefined;
  /** Prices at least as new as the given state, from memory where they are there. */
  read(asker: MenuAsker, wanted: MenuState): Promise<MenuPrices>;
}

/** What a mark costs in memory. */
const MARK_BYTES = 64;

/**
 * Price lists in memory, made by a thread from the published content: once for a version, whatever is marked sold out
 * and back after that.
 */
export function createPriceLists(db: Database, cache: ByteCache<KeptPrices>, threads: Threads): PriceLists {
  const share = createSharedWork<KeptPrices>();

  const build = async ({ storeKey, merchantId, gone }: MenuAsker, version: number): Promise<PriceIndex> => {
    const content = (await readContent(db, storeKey, version)) ?? new Uint8Array();
    const ids = await readIds(db, storeKey, version);
    return threads.run('prices', { content, ids }, { owner: merchantId, gone });
  };

  const keep = (key: string, index: PriceIndex, { state, publication, marks }: StockState): KeptPrices => {
    const made = { state, publication, index, list: openPriceList(index, marks), madeAt: performance.now() };
    const kept = cache.get(key);
    const bytes = bytesOf(index) + marks.size * MARK_BYTES;
    if (kept === undefined || !isCurrent(kept, state)) cache.set(key, made, bytes);
    return made;
  };

  /** What several requests miss at the same time is made once. */
  const makeOnce = (key: string, asker: MenuAsker): Promise<KeptPrices> =>
    share(key, asker.gone, async (gone) => {
      const stock = await readStockState(db, asker.storeKey);
      const kept = cache.get(key);
      const isSame = kept?.publication === stock.publication;
      const index = isSame ? kept.index : await build({ ...asker, gone }, stock.state.version);
      return keep(key, index, stock);
    });

  const cached = (storeKey: number, wanted: MenuState): KeptPrices | undefined => {
    const kept = cache.get(keyOf(storeKey));
    return kept !== undefined && isCurrent(kept, wanted) ? kept : undefined;
  };

  return {
    cached,
    async read(asker, wanted) {
      const kept = cached(asker.storeKey, wanted);
      if (kept !== undefined) return kept;
      const key = keyOf(asker.storeKey);
      // One that was under way may have looked at the database before the wanted state was there; the next has not.
      const first = await makeOnce(key, asker);
      return isAsNew(first.state, wanted) ? first : makeOnce(key, asker);
    },
  };
}

function keyOf(storeKey: number): string {
  return `${storeKey} prices`;
}

function bytesOf(index: PriceIndex): number {
  return ownedBuffers(index).reduce((sum, { byteLength }) => sum + byteLength, 0);
}
