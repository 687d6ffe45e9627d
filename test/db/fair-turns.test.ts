import { describe, expect, it } from 'vitest';
import { createFairTurns, type GiveBack, type Share } from '../../src/db/fair-turns.js';

const sizes = { atOnce: 4, perMerchant: 3, perStore: 2 };
const of = (merchantId: string, storeKey?: number): Share =>
  storeKey === undefined ? { merchantId } : { merchantId, storeKey };

/** Takes turns and keeps a list of who has had one. */
function keepBook(turns = createFairTurns(sizes)) {
  const began: string[] = [];
  const running = new Map<string, GiveBack>();
  const take = (name: string, share: Share | undefined, waitMs = 60_000) =>
    turns.take(share, waitMs).then((giveBack) => {
      if (giveBack === undefined) return began.push(`${name} left`);
      running.set(name, giveBack);
      return began.push(name);
    });
  const end = async (name: string) => {
    running.get(name)?.();
    await Promise.resolve();
  };
  return { turns, began, take, end };
}

describe('fair turns', () => {
  it('give a store and a merchant no more than their part, and the rest to others', async () => {
    const { turns, began, take } = keepBook();
    for (const at of [1, 2, 3]) void take(`a1.${at}`, of('a', 1));
    void take('a2.1', of('a', 2));
    void take('a2.2', of('a', 2));
    void take('b', of('b', 3));
    await Promise.resolve();
    expect(began).toEqual(['a1.1', 'a1.2', 'a2.1', 'b']);
    expect(turns.waiting()).toBe(2);
  });

  it('give what becomes free to the merchants in turn, and to their stores in turn', async () => {
    const { began, take, end } = keepBook(createFairTurns({ atOnce: 1, perMerchant: 1, perStore: 1 }));
    void take('first', of('x'));
    for (const at of [1, 2, 3]) void take(`a1.${at}`, of('a', 1));
    void take('a2', of('a', 2));
    void take('b', of('b', 3));
    void take('nobody', undefined);
    await Promise.resolve();
    for (const name of ['first', 'a1.1', 'b', 'nobody', 'a2', 'a1.2', 'a1.3']) await end(name);
    expect(began).toEqual(['first', 'a1.1', 'b', 'nobody', 'a2', 'a1.2', 'a1.3']);
  });

  it('leave a turn to others when one stops waiting', async () => {
    const { turns, began, take, end } = keepBook(createFairTurns({ atOnce: 1, perMerchant: 1, perStore: 1 }));
    void take('first', of('a', 1));
    await take('late', of('b', 2), 5);
    void take('next', of('c', 3));
    await end('first');
    expect(began).toEqual(['first', 'late left', 'next']);
    expect(turns.waiting()).toBe(0);
    expect(turns.takeNow(of('d'))).toBeUndefined();
    await end('next');
    expect(turns.takeNow(of('d'))).toBeDefined();
  });

  it('bound work without a share by nothing but their number', async () => {
    const { began, take } = keepBook();
    for (const at of [1, 2, 3, 4, 5]) void take(String(at), undefined);
    await Promise.resolve();
    expect(began).toEqual(['1', '2', '3', '4']);
  });
});
