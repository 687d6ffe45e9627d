import { describe, expect, it } from 'vitest';
import {
  createMenuBytes,
  createMenuCache,
  type MadeFromMenu,
} from '../../../src/menus/rendering/menu-cache.js';

const made = (version: number): MadeFromMenu => ({
  state: { version, stockRevision: 1 },
  madeAt: performance.now(),
});

function createCache() {
  const bytes = createMenuBytes(10_000);
  return { bytes, cache: createMenuCache<MadeFromMenu>(bytes) };
}

describe('the cache', () => {
  it('keeps what was used last, within its bytes', () => {
    const { bytes, cache } = createCache();
    cache.keep('a', made(1), 3000);
    cache.keep('b', made(1), 3000);
    expect(cache.findAny('a')).toBeDefined();
    cache.keep('c', made(1), 3000);
    expect(['a', 'b', 'c'].map((key) => cache.findAny(key) !== undefined)).toEqual([true, false, true]);
    expect(bytes.calculatedSize).toBeLessThanOrEqual(10_000);
  });

  it('counts an entry that is replaced once, and never replaces it with an older one', () => {
    const { bytes, cache } = createCache();
    cache.keep('a', made(1), 1000);
    const before = bytes.calculatedSize;
    cache.keep('a', made(2), 1000);
    cache.keep('a', made(1), 1000);
    expect([bytes.calculatedSize, cache.findAny('a')?.state.version]).toEqual([before, 2]);
  });

  it('does not keep what would take more than half of it, nor what it replaces', () => {
    const { bytes, cache } = createCache();
    cache.keep('a', made(1), 1000);
    cache.keep('a', made(2), 9000);
    expect([cache.findAny('a'), bytes.calculatedSize]).toEqual([undefined, 0]);
  });
});
