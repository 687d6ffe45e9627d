import type { Database } from '../../postgres/database.js';
import { readContent } from '../versions/contents.sql.js';
import { readCounts, readStockState } from '../stock/stock.sql.js';
import { readIds, type MenuState } from '../versions/versions.sql.js';
import { unpackPrices, type PackedMenu, type PriceList } from '../price-list.js';
import { createMenuCache, type MadeFromMenu, type MenuTenant, type MenuBytes } from './menu-cache.js';
import type { MenuJobs } from './thread-jobs.js';
import type { Threads } from '../../support/thread-pool.js';

/** With what the next stock of the same version needs. */
interface MenuPrices extends MadeFromMenu {
  readonly list: PriceList;
  readonly publication: string;
  readonly menuBytes: number;
}

/** Memory of one mark. */
const MARK_BYTES = 64;
/** Memory of a character of a packed menu once it is loaded. */
const LOADED_BYTES = 3;

/**
 * Price lists in memory. A thread reads the published content, and what it finds is loaded once for a version, whatever is
 * marked sold out and back after that: in 6 ms for 1,000 items with 3,000 modifiers, in 40 ms for the largest menu.
 */
export function createPriceLists(db: Database, bytes: MenuBytes, threads: Threads<MenuJobs>) {
  const cache = createMenuCache<MenuPrices>(bytes);

  const load = async (tenant: MenuTenant, version: number) => {
    const own = db.forTenant(tenant);
    const content = (await readContent(own, tenant.storeKey, version)) ?? new Uint8Array();
    const idsText = await readIds(own, tenant.storeKey, version);
    const text = await threads.run('prices', { content, idsText }, tenant);
    const menu = unpackPrices(JSON.parse(text) as PackedMenu);
    return { menu, menuBytes: text.length * LOADED_BYTES };
  };

  return {
    /** Prices at least as new as the given state, from memory if possible. */
    read(tenant: MenuTenant, wanted: MenuState): Promise<MenuPrices> {
      const key = `${tenant.storeKey} prices`;
      return cache.read(key, wanted, async () => {
        const { state, publication, marks, counts } = await readStockState(
          db.forTenant(tenant),
          tenant.storeKey,
        );
        const kept = cache.findAny(key);
        const { menu, menuBytes } =
          kept?.publication === publication
            ? { menu: kept.list, menuBytes: kept.menuBytes }
            : await load(tenant, state.version);
        const list = { ...menu, marks, counts };
        const made = { state, publication, menuBytes, list, madeAt: performance.now() };
        return cache.keep(key, made, menuBytes + (marks.size + counts.size) * MARK_BYTES);
      });
    },
    /** The prices with the current counts. Orders count items down without a new state. */
    async withCounts(tenant: MenuTenant, prices: MenuPrices): Promise<MenuPrices> {
      if (prices.list.counts.size === 0) return prices;
      const counts = await readCounts(db.forTenant(tenant), tenant.storeKey);
      return { ...prices, list: { ...prices.list, counts } };
    },
  };
}
