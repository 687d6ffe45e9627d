import { LRUCache } from 'lru-cache';
import type { MenuState } from '../versions/versions.sql.js';
import type { JobTenant } from '../../support/thread-pool.js';

/** The store whose menu is wanted, and for whom. */
export interface MenuTenant extends JobTenant {
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
    /** From memory, or made now, once for all concurrent callers; the signal of `make` aborts when all of them have left. */
    async read(
      key: string,
      wanted: MenuState,
      signal: AbortSignal | undefined,
      make: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const found = find(key, wanted);
      if (found !== undefined) return found;
      // One that was under way may have looked at the database before the wanted state was there; the next has not.
      const first = await share(key, signal, make);
      return isAsNew(first.state, wanted) ? first : share(key, signal, make);
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

interface UnderWay<T> {
  readonly result: Promise<T>;
  /** How many still wait for it. */
  waiting: number;
  readonly abandon: AbortController;
}

/** `signal` aborts when this caller leaves. The work is aborted when all callers have left. */
type ShareWork<T> = (
  key: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Runs work once for all callers that ask for it at the same time. */
export function createSharedWork<T>(): ShareWork<T> {
  const underWay = new Map<string, UnderWay<T>>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>): UnderWay<T> => {
    const abandon = new AbortController();
    const begun: UnderWay<T> = { result: work(abandon.signal), waiting: 0, abandon };
    underWay.set(key, begun);
    const end = () => forget(key, begun);
    begun.result.then(end, end);
    return begun;
  };

  const forget = (key: string, done: UnderWay<T>) => {
    if (underWay.get(key) === done) underWay.delete(key);
  };

  return (key, signal, work) => {
    const shared = underWay.get(key) ?? begin(key, work);
    shared.waiting += 1;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      // The next caller starts the work again.
      forget(key, shared);
      shared.abandon.abort();
    };
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return shared.result;
  };
}
