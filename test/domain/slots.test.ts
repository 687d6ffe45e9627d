import { describe, expect, it } from 'vitest';
import { Busy, NobodyWaits } from '../../src/domain/errors.js';
import { createSlots, type GiveBack, type Slots, type SlotSizes } from '../../src/domain/slots.js';

/** Takes slots and keeps a list of who has had one. */
function keepBook(sizes: SlotSizes) {
  const slots = createSlots(sizes);
  const began: string[] = [];
  const running = new Map<string, GiveBack>();
  const take = (name: string, wait: Parameters<Slots['take']>[0] = {}) =>
    void slots.take(wait).then((giveBack) => {
      running.set(name, giveBack);
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

  it('are bounded by nothing but their number for work without an owner', async () => {
    const { began, take, settled } = keepBook({ size: 4, perOwner: 2, perStore: 1 });
    for (const name of ['1', '2', '3', '4', '5']) take(name);
    await settled();
    expect(began).toEqual(['1', '2', '3', '4']);
  });

  it('are refused to whoever waits too long or leaves, without losing one', async () => {
    const slots = createSlots({ size: 1 });
    const giveBack = await slots.take({});
    await expect(slots.take({ waitMs: 1 })).rejects.toBeInstanceOf(Busy);
    const leaving = new AbortController();
    const left = slots.take({ gone: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(NobodyWaits);
    await expect(slots.take({ gone: leaving.signal })).rejects.toBeInstanceOf(NobodyWaits);
    expect([slots.waiting(), slots.takeNow({})]).toEqual([0, undefined]);
    giveBack();
    expect(slots.takeNow({})).toBeDefined();
  });

  it('are refused at once to an owner, or a store, of whom too many wait', async () => {
    const { slots, began, take, end } = keepBook({ size: 1, mostWaiting: 1 });
    take('a', { owner: 'a', store: 1 });
    take('next', { owner: 'a', store: 1 });
    await expect(slots.take({ owner: 'a', store: 1 })).rejects.toBeInstanceOf(Busy);
    take('other store', { owner: 'a', store: 2 });
    await end('a', 'next', 'other store');
    expect(began).toEqual(['a', 'next', 'other store']);
  });
});

describe('slots taken several at once', () => {
  const sizes = { size: 700, perOwner: 100 };

  it('are as many as an owner may have, and the small never pass the large of the same owner', async () => {
    const { began, take, end, settled } = keepBook(sizes);
    take('60', { owner: 'me', amount: 60 });
    take('40', { owner: 'me', amount: 40 });
    take('50', { owner: 'me', amount: 50 });
    take('1', { owner: 'me', amount: 1 });
    await settled();
    expect(began).toEqual(['60', '40']);
    await end('40');
    expect(began).toEqual(['60', '40']);
    await end('60');
    expect(began).toEqual(['60', '40', '50', '1']);
  });

  it('let what is larger than its part go alone, and nobody else wait for it', async () => {
    const { began, take, end, settled } = keepBook(sizes);
    take('large', { owner: 'me', amount: 500 });
    take('next', { owner: 'me', amount: 1 });
    take('other', { owner: 'you', amount: 100 });
    await settled();
    expect(began).toEqual(['large', 'other']);
    await end('large');
    expect(began).toEqual(['large', 'other', 'next']);
  });

  it('go to the owners in turn, to as many as fit', async () => {
    const { began, take, end, settled } = keepBook(sizes);
    take('large', { owner: 'me', amount: 700 });
    for (const name of ['a', 'b', 'c']) take(name, { owner: 'me', amount: 40 });
    take('other', { owner: 'you', amount: 40 });
    await settled();
    expect(began).toEqual(['large']);
    await end('large');
    expect(began).toEqual(['large', 'a', 'other', 'b']);
  });

  it('let those behind go when a large one gives up', async () => {
    const { slots, began, take, settled } = keepBook(sizes);
    take('60', { owner: 'me', amount: 60 });
    const leaving = new AbortController();
    const large = slots.take({ owner: 'me', amount: 90, gone: leaving.signal });
    take('40', { owner: 'me', amount: 40 });
    leaving.abort();
    await expect(large).rejects.toBeInstanceOf(NobodyWaits);
    await settled();
    expect(began).toEqual(['60', '40']);
  });
});
