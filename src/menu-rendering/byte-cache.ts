interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
}

export interface ByteCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, bytes: number): void;
  bytes(): number;
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
    bytes: () => total,
  };
}
