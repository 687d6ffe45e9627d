import { LRUCache } from 'lru-cache';
import type { MenuState } from '../versions/versions.sql.js';
import type { JobTenant } from '../../support/thread-pool.js';

/** The store whose menu is wanted, and for whom. */
export interface MenuTenant extends Pick<JobTenant, 'merchantId'> {
  readonly storeKey: number;
}

/** Something made from a menu, and the state of the store that it shows. */
export interface MadeFromMenu {
  readonly state: MenuState;
  /** When it was made, on the clock of this process. */
  readonly madeAt: number;
}

/** The bytes that all menu caches share: what was used last, up to a limit. */
export type MenuBytes = LRUCache<string, MadeFromMenu>;

export function createMenuBytes(limit: number): MenuBytes {
  return new LRUCache({ maxSize: limit, maxEntrySize: Math.floor(limit / 2) });
}

/** Memory of an entry in addition to its bytes. */
const OVERHEAD_BYTES = 512;

/** Several caches may share the same bytes, each under keys of its own. */
export function createMenuCache<T extends MadeFromMenu>(bytes: MenuBytes) {
  /** The cached entry, of whatever state. */
  const findAny = (key: string) => bytes.get(key) as T | undefined;
  const share = createSharedWork<T>();
  /** The cached entry, if it is at least as new as the wanted state. */
  const find = (key: string, wanted: MenuState): T | undefined => {
    const found = findAny(key);
    return found !== undefined && isCurrent(found, wanted) ? found : undefined;
  };
  return {
    find,
    findAny,
    /** Caches it, unless the cached entry is as new. */
    keep(key: string, made: T, size: number): T {
      if (find(key, made.state) === undefined) bytes.set(key, made, { size: size + OVERHEAD_BYTES });
      return made;
    },
    /** From memory, or made now, once for all concurrent callers, also if some of them leave meanwhile. */
    async read(key: string, wanted: MenuState, make: () => Promise<T>): Promise<T> {
      const found = find(key, wanted);
      if (found !== undefined) return found;
      // One that was under way may have looked at the database before the wanted state was there; the next has not.
      const first = await share(key, make);
      return isAsNew(first.state, wanted) ? first : share(key, make);
    },
  };
}

/** Longer than a request ever waits between the look at the store's state and the menu. */
const OVERTAKEN_MS = 15_000;

/**
 * A newer state than the wanted one was published after the request had read the wanted one, so it may be shown; but only
 * while that can be: later, the database has lost that publication, as after a failover.
 */
function isCurrent({ state, madeAt }: MadeFromMenu, wanted: MenuState): boolean {
  if (state.version === wanted.version && state.stockRevision === wanted.stockRevision) return true;
  return isAsNew(state, wanted) && performance.now() - madeAt < OVERTAKEN_MS;
}

/** Version and revision only ever grow. */
function isAsNew(state: MenuState, wanted: MenuState): boolean {
  if (state.version !== wanted.version) return state.version > wanted.version;
  return state.stockRevision >= wanted.stockRevision;
}

/** Runs work once for all callers that ask for it at the same time. */
export function createSharedWork<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const begun = underWay.get(key) ?? work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}
