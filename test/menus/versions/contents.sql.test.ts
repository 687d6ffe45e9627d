import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import type { Queryable } from '../../../src/postgres/database.js';
import { readContent, readCurrentMenu } from '../../../src/menus/versions/contents.sql.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createTenant } from '../../harness/tenant.js';

const service = await useService();
let menu: ReturnType<typeof menuClient>;
let storeKey: number;
beforeEach(async () => {
  const tenant = await createTenant(service);
  menu = menuClient(service, tenant);
  const [store] = await service.db.query<{ store_key: number }>({
    name: 'test-store-key',
    text: 'SELECT store_key FROM stores WHERE id = $1',
    values: [tenant.storeId],
  });
  storeKey = store?.store_key ?? 0;
});

/** A menu whose content is fetched in several parts, however well it is compressed. */
async function postLarge(name: string): Promise<void> {
  const items = Array.from({ length: 100 }, (_, i) =>
    item(`${name}-${i}`, { description: text(randomBytes(6_000).toString('base64')) }),
  );
  expect((await menu.post({ items })).status).toBe(200);
}

/** The database, in which something happens right after the first statement. */
function afterFirst(happen: () => Promise<unknown>): Queryable {
  let statements = 0;
  const query = async <Row>(statement: Parameters<Queryable['query']>[0]) => {
    const rows = await service.db.query<Row>(statement);
    statements += 1;
    if (statements === 1) await happen();
    return rows;
  };
  return { query, read: query };
}

const prune = () =>
  service.db.query({
    name: 'test-prune',
    text: 'DELETE FROM menu_versions WHERE store_key = $1 AND version = 1',
    values: [storeKey],
  });

it('gives the newer menu where the current one has been replaced and pruned while it was read', async () => {
  await postLarge('older');
  const db = afterFirst(async () => {
    await postLarge('newer');
    await prune();
  });
  const { version, content } = await readCurrentMenu(db, storeKey);
  expect([version, gunzipSync(content).toString().includes('newer')]).toEqual([2, true]);
});

it('has no part of a version that is pruned while it is read', async () => {
  await postLarge('older');
  expect(await readContent(afterFirst(prune), storeKey, 1)).toBeUndefined();
});
