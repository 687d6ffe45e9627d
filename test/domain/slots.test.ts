import { describe, expect, it } from 'vitest';
import { createSlots } from '../../src/domain/slots.js';

describe('slots', () => {
  it('are given in order, as many at once as allowed', async () => {
    const slots = createSlots({ size: 2 });
    expect(await Promise.all([slots.take(), slots.take()])).toEqual([true, true]);
    const order: number[] = [];
    const third = slots.take().then(() => order.push(3));
    const fourth = slots.take().then(() => order.push(4));
    slots.giveBack();
    await third;
    slots.giveBack();
    await fourth;
    expect(order).toEqual([3, 4]);
  });

  it('are refused to whoever waits too long or leaves, without losing one', async () => {
    const slots = createSlots({ size: 1 });
    await slots.take();
    expect(await slots.take({ waitMs: 1 })).toBe(false);
    const leaving = new AbortController();
    const left = slots.take({ gone: leaving.signal });
    leaving.abort();
    expect([await left, await slots.take({ gone: leaving.signal })]).toEqual([false, false]);
    slots.giveBack();
    expect(await slots.take({ waitMs: 1 })).toBe(true);
  });

  it('go to the owners in turn, to each no more than it may have', async () => {
    const slots = createSlots({ size: 2, perOwner: 1 });
    const order: string[] = [];
    const take = async (owner: string, name: string) => {
      expect(await slots.take({ owner })).toBe(true);
      order.push(name);
    };
    const all = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3'), take('b', 'b1')];
    await Promise.all([all[0], all[3]]);
    expect(order).toEqual(['a1', 'b1']);
    slots.giveBack('b');
    expect(await Promise.race([all[1], Promise.resolve('still waiting')])).toBe('still waiting');
    slots.giveBack('a');
    await all[1];
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('are refused at once to an owner of whom too many wait', async () => {
    const slots = createSlots({ size: 1, waitingPerOwner: 1 });
    await slots.take({ owner: 'a' });
    const second = slots.take({ owner: 'a' });
    expect(await slots.take({ owner: 'a' })).toBe(false);
    slots.giveBack('a');
    expect(await second).toBe(true);
  });
});
