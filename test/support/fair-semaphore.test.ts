import { describe, expect, it } from 'vitest';
import { Overloaded, ClientDisconnected } from '../../src/support/errors.js';
import {
  createFairSemaphore,
  type Release,
  type FairSemaphore,
  type SemaphoreSizes,
} from '../../src/support/fair-semaphore.js';

/** Takes slots and keeps a list of who has had one. */
function keepBook(sizes: SemaphoreSizes) {
  const slots = createFairSemaphore(sizes);
  const began: string[] = [];
  const running = new Map<string, Release>();
  const take = (name: string, wait: Parameters<FairSemaphore['acquire']>[0] = {}) =>
    void slots.acquire(wait).then((release) => {
      running.set(name, release);
      began.push(name);
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (...names: string[]) => {
    for (const name of names) {
      await settled();
      running.get(name)?.();
    }
    await settled();
  };
  return { slots, began, take, end, settled };
}

describe('slots', () => {
  it('are given in order, as many at once as there are', async () => {
    const { slots, began, take, end, settled } = keepBook({ size: 2 });
    for (const name of ['1', '2', '3', '4']) take(name);
    await settled();
    expect([began, slots.waiting()]).toEqual([['1', '2'], 2]);
    await end('2');
    expect(began).toEqual(['1', '2', '3']);
    await end('1', '3', '4');
    expect([began, slots.waiting()]).toEqual([['1', '2', '3', '4'], 0]);
  });

  it('are no more for an owner and a store than their part, and the rest for others', async () => {
    const { slots, began, take, settled } = keepBook({ size: 4, perOwner: 3, perStore: 2 });
    for (const at of [1, 2, 3]) take(`a1.${at}`, { owner: 'a', store: 1 });
    for (const at of [1, 2]) take(`a2.${at}`, { owner: 'a', store: 2 });
    take('b', { owner: 'b', store: 3 });
    await settled();
    expect([began, slots.waiting()]).toEqual([['a1.1', 'a1.2', 'a2.1', 'b'], 2]);
  });

  it('go, when they become free, to the owners in turn and to the stores of each in turn', async () => {
    const { began, take, end } = keepBook({ size: 1 });
    take('first', { owner: 'x' });
    for (const at of [1, 2, 3]) take(`a1.${at}`, { owner: 'a', store: 1 });
    take('a2', { owner: 'a', store: 2 });
    take('b', { owner: 'b', store: 3 });
    take('nobody');
    const inTurn = ['first', 'a1.1', 'b', 'nobody', 'a2', 'a1.2', 'a1.3'];
    await end(...inTurn);
    expect(began).toEqual(inTurn);
  });

  it('pass over an owner that has its part, which keeps its place', async () => {
    const { began, take, end } = keepBook({ size: 2, perOwner: 1 });
    for (const name of ['a1', 'a2']) take(name, { owner: 'a' });
    for (const name of ['b1', 'b2']) take(name, { owner: 'b' });
    await end('b1');
    expect(began).toEqual(['a1', 'b1', 'b2']);
    await end('a1');
    expect(began).toEqual(['a1', 'b1', 'b2', 'a2']);
  });

  it('are wanted of an owner by its own, and by all while none is free', async () => {
    const { slots, take, settled } = keepBook({ size: 3, perOwner: 1 });
    take('slow', { owner: 'slow' });
    for (const name of ['full 1', 'full 2']) take(name, { owner: 'full' });
    await settled();
    expect(['slow', 'full'].map((owner) => slots.isWanted(owner))).toEqual([false, true]);
    take('last', { owner: 'last' });
    await settled();
    expect(['slow', 'full'].map((owner) => slots.isWanted(owner))).toEqual([true, true]);
  });

  it('are bounded by nothing but their number for work without an owner', async () => {
    const { began, take, settled } = keepBook({ size: 4, perOwner: 2, perStore: 1 });
    for (const name of ['1', '2', '3', '4', '5']) take(name);
    await settled();
    expect(began).toEqual(['1', '2', '3', '4']);
  });

  it('are refused to whoever waits too long or leaves, without losing one', async () => {
    const slots = createFairSemaphore({ size: 1 });
    const release = await slots.acquire({});
    await expect(slots.acquire({ waitMs: 1 })).rejects.toBeInstanceOf(Overloaded);
    const leaving = new AbortController();
    const left = slots.acquire({ signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(ClientDisconnected);
    await expect(slots.acquire({ signal: leaving.signal })).rejects.toBeInstanceOf(ClientDisconnected);
    expect([slots.waiting(), slots.tryAcquire({})]).toEqual([0, undefined]);
    release();
    expect(slots.tryAcquire({})).toBeDefined();
  });

  it('are refused at once to an owner, or a store, of whom too many wait', async () => {
    const { slots, began, take, end } = keepBook({ size: 1, mostWaiting: 1 });
    take('a', { owner: 'a', store: 1 });
    take('next', { owner: 'a', store: 1 });
    await expect(slots.acquire({ owner: 'a', store: 1 })).rejects.toBeInstanceOf(Overloaded);
    take('other store', { owner: 'a', store: 2 });
    await end('a', 'next', 'other store');
    expect(began).toEqual(['a', 'next', 'other store']);
  });
});
