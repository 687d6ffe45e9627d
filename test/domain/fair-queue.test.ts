import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../src/domain/fair-queue.js';

describe('a fair queue', () => {
  it('serves owners in turn, and what one has queued in its order', () => {
    const queue = createFairQueue<number>();
    for (const item of [1, 2, 3]) queue.push('a', item);
    queue.push('b', 10);
    queue.push('c', 20);
    const served = Array.from({ length: 6 }, () => queue.shift()?.item);
    expect(served).toEqual([1, 10, 20, 2, 3, undefined]);
  });

  it('passes over an owner that may not go, which keeps its place', () => {
    const queue = createFairQueue<number>();
    for (const [owner, item] of [
      ['a', 1],
      ['b', 10],
      ['b', 11],
    ] as const)
      queue.push(owner, item);
    expect(queue.shift((owner) => owner !== 'a')).toEqual({ owner: 'b', item: 10 });
    expect(queue.shift()).toEqual({ owner: 'a', item: 1 });
    expect(queue.shift(() => false)).toBeUndefined();
  });

  it('forgets what is removed, and counts what waits', () => {
    const queue = createFairQueue<number>();
    queue.push('a', 1);
    queue.push('a', 2);
    expect([queue.remove('a', 1), queue.remove('a', 1), queue.remove('b', 1)]).toEqual([true, false, false]);
    expect(queue.waiting('a')).toBe(1);
    expect(queue.drain()).toEqual([2]);
    expect([queue.waiting('a'), queue.shift()]).toEqual([0, undefined]);
  });
});
