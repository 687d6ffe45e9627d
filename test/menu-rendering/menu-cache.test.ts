import { describe, expect, it } from 'vitest';
import { createByteCache } from '../../src/menu-rendering/menu-cache.js';

describe('the cache', () => {
  it('keeps what was used last, within its bytes', () => {
    const cache = createByteCache<string>(10_000);
    cache.set('a', 'A', 3000);
    cache.set('b', 'B', 3000);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 3000);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
    expect(cache.totalBytes()).toBeLessThanOrEqual(10_000);
  });

  it('counts an entry that is replaced once', () => {
    const cache = createByteCache<string>(10_000);
    cache.set('a', 'A', 1000);
    const before = cache.totalBytes();
    cache.set('a', 'B', 1000);
    expect([cache.totalBytes(), cache.get('a')]).toEqual([before, 'B']);
  });

  it('does not keep what would take more than half of it, nor what stood in its place', () => {
    const cache = createByteCache<string>(10_000);
    cache.set('a', 'A', 1000);
    cache.set('a', 'B', 9000);
    expect([cache.get('a'), cache.totalBytes()]).toEqual([undefined, 0]);
  });
});
