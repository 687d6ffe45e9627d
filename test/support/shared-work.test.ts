import { describe, expect, it } from 'vitest';
import { createSharedWork } from '../../src/menus/rendering/menu-cache.js';

describe('shared work', () => {
  it('is done once for all who ask for the same at the same time', async () => {
    const share = createSharedWork<number>();
    let done = 0;
    const work = () => Promise.resolve((done += 1));
    const ask = (key: string) => share(key, work);
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([1, 1, 2]);
    expect(await ask('a')).toBe(3);
  });

  it('that fails, fails for all who asked, and is tried again by the next', async () => {
    const share = createSharedWork<string>();
    const fail = () => Promise.reject(new Error('no'));
    const both = await Promise.allSettled([share('a', fail), share('a', fail)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await share('a', () => Promise.resolve('yes'))).toBe('yes');
  });
});
