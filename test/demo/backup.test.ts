import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { loadDemo } from '../../src/demo/load-demo.js';
import { FIRST_GIVEN_STORE_KEY } from '../../src/support/example-ids.js';
import { backup, restore } from '../harness/backup.js';
import { startService } from '../harness/service.js';
import { createMerchant, createStore } from '../harness/tenant.js';

it('a restored installation with the demo goes on numbering its stores from below', async () => {
  const [one, other] = [await startService(), await startService()];
  await loadDemo(one.db, loadConfig({}).limits, Date.now());
  await createStore(one, await createMerchant(one));
  const archive = await backup(one);

  expect((await restore(other, archive)).status).toBe(200);
  expect(await backup(other)).toBe(archive);
  await createStore(other, await createMerchant(other));
  const keys = await other.db.query<{ store_key: number }>({
    name: 'drawn_store_keys',
    text: `SELECT stores.store_key FROM stores WHERE stores.store_key < ${FIRST_GIVEN_STORE_KEY} ORDER BY 1`,
  });
  expect(keys.map(({ store_key }) => store_key)).toEqual([1, 2]);
  await Promise.all([one.stop(), other.stop()]);
});
