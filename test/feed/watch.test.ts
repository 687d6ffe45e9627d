import { expect, it } from 'vitest';
import { EVENTS_WRITTEN } from '../../src/events/events.sql.js';
import { createEventWatch } from '../../src/feed/watch.js';
import { useService } from '../harness/service.js';
import { createTenant, storeKeyOf } from '../harness/tenant.js';

const service = await useService();

it('sends nobody to look again and again for an event that was told and is gone, as after a failover', async () => {
  const storeKey = await storeKeyOf(service, await createTenant(service));
  const watch = createEventWatch(service.db);
  service.db.notify(EVENTS_WRITTEN, { storeKey, lastSequence: 1_000 });
  const gone = new AbortController().signal;
  const isAtOnce = async () => {
    const begun = performance.now();
    await watch.wait(new Map([[storeKey, 900]]), 300, gone);
    return performance.now() - begun < 100;
  };
  expect(await isAtOnce()).toBe(true);
  await expect.poll(isAtOnce, { timeout: 5_000, interval: 100 }).toBe(false);
  expect(await isAtOnce()).toBe(false);
});
