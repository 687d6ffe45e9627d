import type { Database } from '../db/database.js';
import { readContent } from '../db/menu-contents.js';
import { readStockState } from '../db/menu-marks.js';
import { readIds, type MenuState } from '../db/menu-versions.js';
import type { PriceList } from '../domain/quote/price-list.js';
import { ownedBuffers, type MenuAsker, type Threads } from './thread-pool.js';
import { createMenuCache, type ByteCache, type MadeFromMenu } from './menu-cache.js';
import { openPriceList } from './prices/open-price-list.js';
import type { PriceIndex } from './prices/price-index.js';

/** A menu as orders are priced by it. */
interface MenuPrices extends MadeFromMenu {
  readonly list: PriceList;
}

/** With what the next stock of the same version needs. */
interface KeptPrices extends MenuPrices {
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
export function createPriceLists(db: Database, bytes: ByteCache<MadeFromMenu>, threads: Threads): PriceLists {
  const cache = createMenuCache<KeptPrices>(bytes);

  const build = async (asker: MenuAsker, version: number): Promise<PriceIndex> => {
    const own = db.of(asker);
    const content = (await readContent(own, asker.storeKey, version)) ?? new Uint8Array();
    const idsText = await readIds(own, asker.storeKey, version);
    return threads.run('prices', { content, idsText }, asker);
  };

  return {
    cached: (storeKey, wanted) => cache.find(keyOf(storeKey), wanted),
    read(asker, wanted) {
      const key = keyOf(asker.storeKey);
      return cache.read(key, wanted, asker.gone, async (gone) => {
        const { state, publication, marks } = await readStockState(db.of(asker), asker.storeKey);
        const kept = cache.findAny(key);
        const isSame = kept?.publication === publication;
        const index = isSame ? kept.index : await build({ ...asker, gone }, state.version);
        const list = openPriceList(index, marks);
        const made = { state, publication, index, list, madeAt: performance.now() };
        return cache.keep(key, made, bytesOf(index) + marks.size * MARK_BYTES);
      });
    },
  };
}

function keyOf(storeKey: number): string {
  return `${storeKey} prices`;
}

function bytesOf(index: PriceIndex): number {
  return ownedBuffers(index).reduce((sum, { byteLength }) => sum + byteLength, 0);
}
