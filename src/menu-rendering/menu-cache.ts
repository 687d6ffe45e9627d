import type { MenuState } from '../db/menu-versions.js';
import { createSharedWork } from './shared-work.js';

/** Something made from a menu, and the state of the store that it shows. */
export interface MadeFromMenu {
  readonly state: MenuState;
  /** When it was made, on the clock of this process. */
  readonly madeAt: number;
}

export interface MenuCache<T extends MadeFromMenu> {
  /** What is in memory and at least as new as the wanted state. */
  find(key: string, wanted: MenuState): T | undefined;
  /** What is in memory, whatever it shows. */
  findAny(key: string): T | undefined;
  /** Keeps it, unless what is in memory is as new. */
  keep(key: string, made: T, bytes: number): T;
  /** From memory, or made now, once for all who ask at the same time; `make` is told when all of them have left. */
  read(
    key: string,
    wanted: MenuState,
    gone: AbortSignal | undefined,
    make: (gone: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

/** Several caches may share the bytes of one `ByteCache`, each under keys of its own. */
export function createMenuCache<T extends MadeFromMenu>(bytes: ByteCache<MadeFromMenu>): MenuCache<T> {
  const kept = bytes as ByteCache<T>;
  const share = createSharedWork<T>();
  const find = (key: string, wanted: MenuState): T | undefined => {
    const found = kept.get(key);
    return found !== undefined && isCurrent(found, wanted) ? found : undefined;
  };
  return {
    find,
    findAny: (key) => kept.get(key),
    keep(key, made, size) {
      if (find(key, made.state) === undefined) kept.set(key, made, size);
      return made;
    },
    async read(key, wanted, gone, make) {
      const found = find(key, wanted);
      if (found !== undefined) return found;
      // One that was under way may have looked at the database before the wanted state was there; the next has not.
      const first = await share(key, gone, make);
      return isAsNew(first.state, wanted) ? first : share(key, gone, make);
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

interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
}

export interface ByteCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, bytes: number): void;
  totalBytes(): number;
}

/** What an entry costs beside its bytes. */
const OVERHEAD_BYTES = 512;

/** Keeps what was used last, up to a number of bytes; what alone would take more than half of it is not kept. */
export function createByteCache<T>(limit: number): ByteCache<T> {
  const entries = new Map<string, Entry<T>>();
  let total = 0;

  const drop = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map keeps the order of insertion: the first key is the one unused for longest.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      drop(key);
      const bytes = size + OVERHEAD_BYTES;
      if (bytes > limit / 2) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= limit) break;
        drop(oldest);
      }
    },
    totalBytes: () => total,
  };
}
