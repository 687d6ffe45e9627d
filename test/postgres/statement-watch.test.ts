import { expect, it, onTestFinished } from 'vitest';
import { createStatementWatch } from '../../src/postgres/statement-watch.js';

function watchWithClock() {
  const clock = { ms: 0 };
  const watch = createStatementWatch(
    () => undefined,
    () => clock.ms,
  );
  onTestFinished(() => watch.stop());
  return { clock, watch };
}

it('knows which stores have statements that hang', () => {
  const { clock, watch } = watchWithClock();
  const [slow, quick] = [watch.begin(1), watch.begin(2)];
  quick();
  clock.ms = 4_999;
  watch.begin(3);
  expect(watch.troubledStores()).toEqual([]);
  clock.ms = 5_001;
  expect(watch.troubledStores()).toEqual([1]);
  slow();
  expect(watch.troubledStores()).toEqual([]);
});

it('knows which stores have statements that failed, until one succeeds or nobody asks any more', () => {
  const { clock, watch } = watchWithClock();
  const lost = Object.assign(new Error('connection to the remote node failed'), { code: '08006' });
  for (const storeKey of [1, 2]) watch.begin(storeKey)(lost);
  watch.begin(3)(Object.assign(new Error('duplicate key'), { code: '23505' }));
  expect(watch.troubledStores()).toEqual([1, 2]);
  watch.begin(1)();
  expect(watch.troubledStores()).toEqual([2]);
  clock.ms = 60_001;
  expect(watch.troubledStores()).toEqual([]);
});

it('says once that there is trouble, and once that it is over', async () => {
  const said: string[] = [];
  const watch = createStatementWatch((message) => said.push(message));
  onTestFinished(() => watch.stop());
  const lost = Object.assign(new Error('gone'), { code: '08006' });
  for (const storeKey of [7, 8, 9, 10]) watch.begin(storeKey)(lost);
  await expect.poll(() => said, { timeout: 30_000 }).toHaveLength(1);
  expect(said[0]).toContain('(numbers 7, 8, 9 and 1 more)');
  watch.begin(11)(lost);
  for (const storeKey of [7, 8, 9, 10, 11]) watch.begin(storeKey)();
  await expect.poll(() => said, { timeout: 30_000 }).toHaveLength(2);
  expect(said[1]).toBe('The database answers for all stores again');
});
