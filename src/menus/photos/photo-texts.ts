import type { Database } from '../../postgres/database.js';
import {
  createMenuCache,
  type MadeFromMenu,
  type MenuBytes,
  type MenuTenant,
} from '../rendering/menu-cache.js';
import type { MenuState } from '../versions/versions.sql.js';
import { readPhotos } from './photos.sql.js';

/** The photos of a store as they are shown in its menu: JSON text, by the id of the item. */
export type PhotoTexts = ReadonlyMap<number, string>;

interface StorePhotos extends MadeFromMenu {
  readonly texts: PhotoTexts;
}

/** Memory of one photo's text. */
const TEXT_BYTES = 300;

/** Reads photos at least as new as the given state, from memory where they are there. */
export function createPhotos(db: Database, bytes: MenuBytes) {
  const cache = createMenuCache<StorePhotos>(bytes);
  return async (tenant: MenuTenant, wanted: MenuState): Promise<PhotoTexts> => {
    const key = `${tenant.storeKey} photos`;
    const made = await cache.read(key, wanted, async () => {
      const { state, photos } = await readPhotos(db.forTenant(tenant), tenant.storeKey);
      const texts = new Map(photos.map(([id, photo]) => [id, JSON.stringify(photo)]));
      return cache.keep(key, { state, texts, madeAt: performance.now() }, texts.size * TEXT_BYTES);
    });
    return made.texts;
  };
}
