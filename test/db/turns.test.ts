import { describe, expect, it } from 'vitest';
import { createTurns } from '../../src/db/turns.js';

describe('turns', () => {
  it('are given in order, as many at once as allowed', async () => {
    const turns = createTurns(2);
    expect(await Promise.all([turns.take(), turns.take()])).toEqual([true, true]);
    const order: number[] = [];
    const third = turns.take().then(() => order.push(3));
    const fourth = turns.take().then(() => order.push(4));
    turns.giveBack();
    await third;
    turns.giveBack();
    await fourth;
    expect(order).toEqual([3, 4]);
  });

  it('are refused to whoever waits too long, without losing one', async () => {
    const turns = createTurns(1);
    await turns.take();
    expect(await turns.take(1)).toBe(false);
    turns.giveBack();
    expect(await turns.take(1)).toBe(true);
  });
});
