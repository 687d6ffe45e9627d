import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ClientBase } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { ask } from '../harness/client.js';
import { list, takeIn } from '../harness/orders.js';
import { createDatabase, startOn } from '../harness/service.js';
import { createKey } from '../harness/tenant.js';

const MERCHANT = '01980c6e-5c00-7000-8000-000000000001';
const STORE = '01980c6e-5c00-7000-8000-000000000002';
const ORDER = '01980c6e-5c00-7000-8000-00000000000';
const RELEASED = new URL('../../migrations/', import.meta.url);

/** A database as a version left it that knew so many migrations. */
async function migrateTo(db: Database, schema: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'comanda-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (await readdir(RELEASED)).sort().slice(0, schema);
  for (const name of names) await copyFile(new URL(name, RELEASED), join(folder, name));
  expect(await migrate(db, { folder: pathToFileURL(`${folder}/`) })).toHaveLength(schema);
}

const menuWith = (price: number) => ({
  menus: [{ external_id: 'all', availability: [], category_external_ids: ['food'] }],
  categories: [{ external_id: 'food', name: { translations: {} }, item_external_ids: ['soup'] }],
  items: [{ external_id: 'soup', name: { translations: {} }, price, tax: 0, sell_separately: true }],
});

/** What the old version did at its first start, and with a first menu. */
async function setUpStore(client: ClientBase, schema: number): Promise<void> {
  await client.query(`INSERT INTO merchants (id, created_at, brand_name) VALUES ($1, now(), 'Casa')`, [
    MERCHANT,
  ]);
  await client.query(
    `INSERT INTO stores (id, store_key, merchant_id, created_at, name)
     VALUES ($1, nextval('store_numbers'), $2, now(), '{"translations":{"en":"Centro"}}')`,
    [STORE, MERCHANT],
  );
  await client.query(
    `INSERT INTO menu_entities (store_key, kind, external_id, id)
     SELECT 1, e.kind, e.external_id, nextval('menu_entity_ids')
     FROM (VALUES ('menu', 'all'), ('category', 'food'), ('item', 'soup')) AS e (kind, external_id)`,
  );
  if (schema >= 12)
    await client.query('INSERT INTO menu_states (store_key, menu_version, stock_revision) VALUES (1, 0, 0)');
}

async function publish(client: ClientBase, version: number): Promise<void> {
  await client.query(
    `INSERT INTO menu_versions (store_key, version, published_at, key_id, content, content_hash, keys_hash, menus, categories,
       items, modifier_groups, modifier_items, ids, stated_in, stated_out, tree_bytes, tree_entities)
     VALUES (1, $1, now(), 'old', $2, sha256($2), sha256('keys'), 1, 1, 1, 0, 0, '{1,2,3}', '{}', '{}', 400, 3)`,
    [version, gzipSync(JSON.stringify(menuWith(version)))],
  );
}

/** With its counts, from before the statement that writes both was a function. */
async function takeInOld(client: ClientBase, schema: number, number: number): Promise<void> {
  await client.query(
    `INSERT INTO orders (store_key, id, created_at, ready_by, status, is_read, in_pos, price, tax, fingerprint, customer_name,
       customer_phone, name_key, digits_key, items${schema > 3 ? ', updated_at' : ''})
     VALUES (1, $1, '2026-01-01 12:00Z', '2026-01-01 12:30Z', 'PENDING', false, false, 5, 0, '', 'Ana', '555', 'ana', '555',
       '[{"name":"Soup"}]'${schema > 3 ? ', now()' : ''})`,
    [`${ORDER}${number}`],
  );
  const hour = (Date.UTC(2026, 0, 1, 12) - Date.parse('0001-01-01T00:00:00Z')) / 3_600_000;
  await client.query(
    `INSERT INTO order_counts AS c (store_key, level, bucket, slot, pending)
     SELECT 1, l.level, $1::integer / l.hours, 0, 1 FROM (VALUES (0, 1), (1, 24), (2, 768)) AS l (level, hours)
     ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET pending = c.pending + 1`,
    [hour],
  );
}

/** Resolves once somebody waits for what the client has locked, or the work is done. */
async function untilBlocked(client: ClientBase, work: Promise<unknown>): Promise<void> {
  const state = { isDone: false };
  void work.catch(() => undefined).finally(() => (state.isDone = true));
  while (!state.isDone) {
    const { rowCount } = await client.query(
      'SELECT FROM pg_locks l WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))',
    );
    if ((rowCount ?? 0) > 0) return;
    await delay(10);
  }
}

it.each([3, 11, 12])(
  'an upgrade from schema %i by way of 0.2.0 loses nothing that an old replica wrote before it or during it',
  async (schema) => {
    const { connection, drop } = await createDatabase();
    const db = openDatabase({ connection, poolSize: 4 });
    await migrateTo(db, schema);
    await db.withClient(async (old) => {
      const setVersion = schema < 12 ? 'UPDATE stores' : 'UPDATE menu_states';
      await setUpStore(old, schema);
      await publish(old, 1);
      await takeInOld(old, schema, 1);
      await old.query(`${setVersion} SET menu_version = 1 WHERE store_key = 1`);
      // The old replica is still at work when the new version begins to migrate.
      await old.query('BEGIN');
      await publish(old, 2);
      if (schema > 3) await takeInOld(old, schema, 2);
      await old.query(`${setVersion} SET menu_version = 2 WHERE store_key = 1`);
      const migrating = migrate(db);
      await untilBlocked(old, migrating);
      await old.query('COMMIT');
      await expect(migrating).rejects.toThrow(
        'The migration 0038_counted_orders.sql failed: The sales do not count all orders of this database, as after an upgrade ' +
          'from 0.1.0. Run version 0.2.0 on it for a few minutes, which counts them, then start this version.',
      );
      // As 0.2.0 leaves it.
      await old.query('UPDATE sales_progress SET is_done = true');
      expect(await migrate(db)).toContain('0038_counted_orders.sql');
    });
    await db.close();

    const service = await startOn(connection, {}, drop);
    onTestFinished(() => service.stop());
    const permissions = ['read', 'menu:write', 'orders:write'];
    const { key } = await createKey(service, { merchant_id: MERCHANT, permissions });
    const menu = `${service.url}/v1/stores/${STORE}/menu_configuration/`;
    const flat = await ask<{ items: unknown }>(`${menu}flat`, { key });
    expect([flat.status, flat.body.items]).toMatchObject([200, [{ id: 3, external_id: 'soup', price: 2 }]]);
    expect((await ask(menu, { method: 'POST', key, body: menuWith(3) })).status).toBe(200);
    const versions = await ask(`${service.url}/manage/v1/stores/${STORE}/menu/versions`, { key });
    expect(versions.body).toMatchObject({ current_version: 3, versions: [{}, {}, {}] });

    const tenant = { storeId: STORE, key, merchantId: MERCHANT, keyId: '' };
    const written = schema > 3 ? 2 : 1;
    expect((await takeIn(service, tenant)).status).toBe(201);
    expect((await list(service, tenant)).body.count).toBe(written + 1);
    const { status, body } = await ask(`${service.url}/v1/orders/${ORDER}1`, { key });
    expect([status, body]).toMatchObject([200, { items: [{ name: 'Soup' }], status: 'PENDING' }]);
  },
  120_000,
);
