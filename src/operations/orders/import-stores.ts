import type { Queryable } from '../../db/database.js';
import { findStoreKeys } from '../../db/stores.js';
import type { StoreScope } from '../../domain/key/principal.js';

export interface StoreLookup {
  /** Looks up the ids not seen before, all at once. */
  learn(ids: readonly (string | undefined)[]): Promise<void>;
  keyOf(id: string): number | undefined;
}

/** Past this an import forgets what it has seen, so that made-up ids cannot fill the memory. */
const REMEMBERED = 10_000;

export function createStoreLookup(db: Queryable, scope: StoreScope): StoreLookup {
  const keys = new Map<string, number | undefined>();
  return {
    async learn(ids) {
      if (keys.size > REMEMBERED) keys.clear();
      const unseen = [...new Set(ids)].filter((id) => id !== undefined).filter((id) => !keys.has(id));
      if (unseen.length === 0) return;
      const found = await findStoreKeys(db, unseen, scope);
      for (const id of unseen) keys.set(id, found.get(id));
    },
    keyOf: (id) => keys.get(id),
  };
}
