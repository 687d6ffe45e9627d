import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PoolConfig } from 'pg';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createReadinessCheck } from '../../src/postgres/schema-migrations.js';
import { StartupError } from '../../src/support/errors.js';
import { createDatabase } from '../harness/service.js';

let connection: PoolConfig;
let drop: () => Promise<void>;
beforeEach(async () => {
  ({ connection, drop } = await createDatabase());
});
afterEach(() => drop());

async function inFolder(texts: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'comanda-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

describe('migrate', () => {
  it('is done once when several replicas start together', async () => {
    const replicas = Array.from({ length: 4 }, () => openDatabase({ connection, poolSize: 1 }));
    const applied = await Promise.all(replicas.map((db) => migrate(db)));
    const all = applied.flat().sort();
    expect(all.length).toBeGreaterThan(0);
    expect(new Set(all).size).toBe(all.length);
    expect(await Promise.all(replicas.map((db) => createReadinessCheck(db)()))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await migrate(replicas[0] ?? openDatabase({ connection, poolSize: 1 }))).toEqual([]);
    await Promise.all(replicas.map((db) => db.close()));
  });

  it('takes steps outside a transaction, once, and begins one that was cut short again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'comanda-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(
      join(folder, '0001_table.sql'),
      'CREATE TABLE things (name text); INSERT INTO things SELECT generate_series(1, 1000)::text',
    );
    const index = (then: string) =>
      writeFile(
        join(folder, '0002_index.sql'),
        `-- outside a transaction\n-- Why; and more of it.\nDROP INDEX CONCURRENTLY IF EXISTS things_by_name;\nCREATE INDEX CONCURRENTLY things_by_name ON things (name);\n${then}`,
      );
    const replicas = Array.from({ length: 3 }, () => openDatabase({ connection, poolSize: 1 }));
    const [db] = replicas as [(typeof replicas)[number]];
    const at = pathToFileURL(`${folder}/`);

    await index('SELECT 1 / 0;\n');
    await expect(migrate(db, { folder: at })).rejects.toThrow('division by zero');
    await index('');
    const applied = await Promise.all(replicas.map((replica) => migrate(replica, { folder: at })));
    expect(applied.flat()).toEqual(['0002_index.sql']);
    expect(
      await db.query({
        name: 'test_index',
        text: `SELECT i.indisvalid AS valid FROM pg_index i WHERE i.indexrelid = to_regclass('things_by_name')`,
      }),
    ).toEqual([{ valid: true }]);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  it('gives way to others while someone reads a table that it changes, and says whom it waits for', async () => {
    const folder = await inFolder({ '0001_first.sql': 'CREATE TABLE things (name text)' });
    const db = openDatabase({ connection, poolSize: 4 });
    await migrate(db, { folder });
    await writeFile(new URL('0002_second.sql', folder), 'ALTER TABLE things ADD COLUMN price integer');
    const said: string[] = [];
    let isDone = false;
    const migrated = await db.withClient(async (reader) => {
      await reader.query('BEGIN; SELECT * FROM things');
      const migrating = migrate(db, { folder, say: (sentence) => said.push(sentence) });
      void migrating.then(() => (isDone = true));
      // Were the table kept for the migration, this would wait for the reader, who waits for it.
      while (said.length === 0) {
        await db.query({ name: 'test_read', text: 'SELECT things.name FROM things' });
        await delay(20);
      }
      expect(isDone).toBe(false);
      await reader.query('COMMIT');
      return migrating;
    });
    expect(migrated).toEqual(['0002_second.sql']);
    expect(said).toEqual([
      expect.stringMatching(
        /^0002_second\.sql waits for a transaction that has been open for \d+ s \(process \d+/,
      ),
      'Applied 0002_second.sql',
    ]);
    await db.close();
  }, 30_000);

  it('gives way between the steps outside a transaction too, and finishes an index that was cut short', async () => {
    const folder = await inFolder({
      '0001_first.sql': `CREATE TABLE things (name text); INSERT INTO things VALUES ('a'), ('a')`,
    });
    const db = openDatabase({ connection, poolSize: 4 });
    onTestFinished(() => db.close());
    await migrate(db, { folder });
    const run = (text: string) => db.withClient((client) => client.query(text));
    await expect(run('CREATE UNIQUE INDEX CONCURRENTLY things_by_name ON things (name)')).rejects.toThrow();
    await run('DELETE FROM things');
    await writeFile(
      new URL('0002_second.sql', folder),
      '-- outside a transaction\nALTER TABLE things ADD COLUMN IF NOT EXISTS price integer;\n' +
        'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS things_by_name ON things (name);\n',
    );
    const said: string[] = [];
    const migrated = await db.withClient(async (reader) => {
      await reader.query('BEGIN; SELECT * FROM things');
      const migrating = migrate(db, { folder, say: (sentence) => said.push(sentence) });
      await expect.poll(() => said).toEqual([expect.stringContaining('0002_second.sql waits for')]);
      // Nobody queues behind the migration while it pauses.
      await run('SELECT things.name FROM things');
      await reader.query('COMMIT');
      return migrating;
    });
    expect(migrated).toEqual(['0002_second.sql']);
    const { rows } = await run(
      `SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = 'things_by_name'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('says which of them is at work, and that another process is', async () => {
    const folder = await inFolder({ '0001_first.sql': 'SELECT pg_sleep(3)' });
    const replicas = [1, 2].map(() => openDatabase({ connection, poolSize: 1, statementTimeoutMs: 0 }));
    const said: string[] = [];
    await Promise.all(replicas.map((db) => migrate(db, { folder, say: (sentence) => said.push(sentence) })));
    expect(said.sort()).toEqual([
      'Another process is migrating the database; waiting for it to finish',
      'Applied 0001_first.sql',
      'Applying 0001_first.sql to the database. Do not interrupt it',
    ]);
    await Promise.all(replicas.map((db) => db.close()));
  });

  it('is ended by the server soon after the process that began it has gone', async () => {
    const folder = await inFolder({ '0001_first.sql': 'SELECT pg_sleep(60)' });
    const [dying, watching] = [1, 2].map(() =>
      openDatabase({ connection, poolSize: 1, statementTimeoutMs: 0 }),
    );
    const migrating = migrate(dying as Database, { folder }).catch((error: unknown) => error);
    const isAtWork = async () => {
      const rows = await watching?.query({
        name: 'test_at_work',
        text: `SELECT FROM pg_stat_activity a WHERE a.datname = current_database() AND a.query LIKE '%sleep(60)%' AND a.pid <> pg_backend_pid()
               AND a.state = 'active'`,
      });
      return rows?.length === 1;
    };
    await expect.poll(isAtWork).toBe(true);
    await dying?.close(0);
    await migrating;
    await expect.poll(isAtWork, { timeout: 5_000 }).toBe(false);
    await watching?.close();
  });

  it('that fails is named, and is begun anew', async () => {
    const folder = await inFolder({ '0001_first.sql': 'CREATE TABLE things (name text); SELECT 1 / 0' });
    const db = openDatabase({ connection, poolSize: 1 });
    await expect(migrate(db, { folder })).rejects.toThrow(
      /^The migration 0001_first\.sql failed: division by zero\. It was rolled back and is tried again/,
    );
    await writeFile(new URL('0001_first.sql', folder), 'CREATE TABLE things (name text)');
    expect(await migrate(db, { folder })).toEqual(['0001_first.sql']);
    await db.close();
  });

  it('refuses a database that is newer than the service', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    await migrate(db);
    await db.query({
      name: 'test_future',
      text: `INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'future', now())`,
    });
    await expect(migrate(db)).rejects.toThrow(/has schema 9999, but this version supports only/);
    await db.close();
  });
});

describe('functions.sql', () => {
  const answering = (number: number) => ({
    'functions.sql': `CREATE OR REPLACE FUNCTION answer() RETURNS integer LANGUAGE sql AS 'SELECT ${number}';\n`,
  });
  const table = { '0001_first.sql': 'CREATE TABLE things (name text);\n' };
  const answer = (db: Database) => db.query({ name: 'test_answer', text: 'SELECT answer() AS answer' });

  it('is applied after the migrations by one replica, and again whenever its text is new', async () => {
    const replicas = Array.from({ length: 3 }, () => openDatabase({ connection, poolSize: 1 }));
    onTestFinished(() => Promise.all(replicas.map((db) => db.close())).then(() => undefined));
    const [db] = replicas as [Database];
    const migrateAll = async (folder: URL) =>
      (await Promise.all(replicas.map((replica) => migrate(replica, { folder })))).flat();
    expect(await migrateAll(await inFolder({ ...table, ...answering(1) }))).toEqual([
      '0001_first.sql',
      'functions.sql',
    ]);
    expect(await answer(db)).toEqual([{ answer: 1 }]);
    expect(await migrateAll(await inFolder({ ...table, ...answering(1) }))).toEqual([]);
    expect(await migrateAll(await inFolder({ ...table, ...answering(2) }))).toEqual(['functions.sql']);
    expect(await answer(db)).toEqual([{ answer: 2 }]);
  });

  it('of an older version does not replace the newer functions when that version starts again', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    onTestFinished(() => db.close());
    await migrate(db, { folder: await inFolder({ ...table, ...answering(1) }) });
    await migrate(db, { folder: await inFolder({ ...table, ...answering(2) }) });
    expect(await migrate(db, { folder: await inFolder({ ...table, ...answering(1) }) })).toEqual([]);
    expect(await answer(db)).toEqual([{ answer: 2 }]);
  });

  it('that fails is named, and leaves the functions as they were', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    onTestFinished(() => db.close());
    await migrate(db, { folder: await inFolder({ ...table, ...answering(1) }) });
    const broken = { 'functions.sql': `${answering(2)['functions.sql']}SELECT 1 / 0;\n` };
    await expect(migrate(db, { folder: await inFolder({ ...table, ...broken }) })).rejects.toThrow(
      /^The migration functions\.sql failed: division by zero\./,
    );
    expect(await answer(db)).toEqual([{ answer: 1 }]);
    expect(await migrate(db, { folder: await inFolder({ ...table, ...answering(2) }) })).toEqual([
      'functions.sql',
    ]);
  });
});

describe('a migration that was applied', () => {
  const first = { '0001_first.sql': 'CREATE TABLE first (n integer);\n' };
  const second = { '0002_second.sql': 'CREATE TABLE second (n integer);\n' };

  it.each([
    ['another statement', { ...first, '0002_second.sql': 'CREATE TABLE second (n bigint);\n' }],
    ['a comment', { ...first, '0002_second.sql': `-- why\n${second['0002_second.sql']}` }],
    ['a space', { ...first, '0002_second.sql': ` ${second['0002_second.sql']}` }],
  ])('is refused with %s in it, before anything else is applied', async (_change, edited) => {
    const db = openDatabase({ connection, poolSize: 1 });
    onTestFinished(() => db.close());
    expect(await migrate(db, { folder: await inFolder({ ...first, ...second }) })).toEqual([
      '0001_first.sql',
      '0002_second.sql',
    ]);
    const third = { '0003_third.sql': 'CREATE TABLE third (n integer);\n' };
    await expect(migrate(db, { folder: await inFolder({ ...edited, ...third }) })).rejects.toThrow(
      new StartupError(
        'migrations/0002_second.sql differs from what was applied to this database. Put the released file back ' +
          '(`git checkout -- migrations`, or reinstall the service), and make changes in a new migration.',
      ),
    );
    expect(await migrate(db, { folder: await inFolder({ ...first, ...second, ...third }) })).toEqual([
      '0003_third.sql',
    ]);
  });

  it('may have had a text that was never released', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    onTestFinished(() => db.close());
    await migrate(db);
    await db.query({
      name: 'test_unreleased',
      text: `UPDATE schema_migrations SET checksum = '2bb2ffd18d0b6ca056762fd4048f795ccba623acb91bc40a650c399ea79eb43e'
             WHERE number = 24`,
    });
    expect(await migrate(db)).toEqual([]);
  });
});

describe('migration 0004', () => {
  it('gives orders of before their revision from 1 on and the time of their last change', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    const folder = new URL('../../migrations/', import.meta.url);
    const apply = async (name: string) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      await db.withClient((client) => client.query(sql));
    };
    for (const name of ['0001_foundation.sql', '0002_menus.sql', '0003_orders.sql']) await apply(name);
    await db.withClient((client) => client.query(ORDERS_OF_BEFORE));
    await apply('0004_events.sql');
    const orders = await db.query({
      name: 'test_orders',
      text: `SELECT revision, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS updated_at
             FROM orders ORDER BY created_at`,
    });
    expect(orders).toEqual([
      { revision: 1, updated_at: '2026-01-01 00:00' },
      { revision: 3, updated_at: '2026-01-02 12:30' },
    ]);
    await db.close();
  });
});

const ORDERS_OF_BEFORE = `
  INSERT INTO orders (store_key, id, created_at, ready_by, status, is_read, in_pos, revision, price, tax, fingerprint,
    customer_name, customer_phone, items)
  SELECT 1, id::uuid, created_at::timestamptz, now(), 'PENDING', false, false, revision, 1, 0, '', '', '', '[]'
  FROM (VALUES ('00000000-0000-7000-8000-000000000001', '2026-01-01Z', 0), ('00000000-0000-7000-8000-000000000002', '2026-01-02Z', 2))
    AS o (id, created_at, revision);
  INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, new_value)
  SELECT 1, '00000000-0000-7000-8000-000000000002', revision, 'status', changed_at::timestamptz, '', '""'
  FROM (VALUES (1, '2026-01-02 10:00Z'), (2, '2026-01-02 12:30Z')) AS h (revision, changed_at)`;

describe('an upgrade from schema 13', () => {
  it('raises a menu state that is behind the newest version, and leaves the others alone', async () => {
    const released = new URL('../../migrations/', import.meta.url);
    const names = (await readdir(released)).filter((name) => name < '0014');
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, released), 'utf8')));
    const folder = await inFolder(Object.fromEntries(names.map((name, i) => [name, texts[i] ?? ''])));
    const db = openDatabase({ connection, poolSize: 1 });
    onTestFinished(() => db.close());
    expect(await migrate(db, { folder })).toHaveLength(13);
    await db.withClient((client) => client.query(MENUS_OF_BEFORE));
    expect((await migrate(db)).slice(0, 2)).toEqual([
      '0014_arriving_orders.sql',
      '0015_raise_menu_states.sql',
    ]);
    const states = await db.query({
      name: 'test_states',
      text: 'SELECT store_key, menu_version, stock_revision FROM menu_states ORDER BY store_key',
    });
    expect(states).toEqual([
      { store_key: 1, menu_version: 0, stock_revision: 0 },
      { store_key: 2, menu_version: 3, stock_revision: 20 },
      { store_key: 3, menu_version: 3, stock_revision: 30 },
    ]);
  });
});

/** Store 1 has never published, store 2 is up to date, store 3 is behind. The row of store 4 is gone already. */
const MENUS_OF_BEFORE = `
  INSERT INTO menu_states (store_key, menu_version, stock_revision) VALUES (1, 0, 0), (2, 3, 20), (3, 2, 30);
  INSERT INTO menu_versions (store_key, version, published_at, key_id, content, content_hash, keys_hash, menus, categories,
    items, modifier_groups, modifier_items, ids, stated_in, stated_out, tree_bytes, tree_entities)
  SELECT store_key, version, now(), 'key', '', '', '', 0, 0, 0, 0, 0, '{}', '{}', '{}', 0, 0
  FROM generate_series(2, 4) AS store_key, generate_series(2, 3) AS version`;

describe('the check of readiness', () => {
  it('asks for what the service knew when it started, and does not mind more', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    await migrate(db);
    const folder = await mkdtemp(join(tmpdir(), 'comanda-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, '0001_known.sql'), '');
    const isCurrent = createReadinessCheck(db, pathToFileURL(`${folder}/`));
    for (let number = 2; number < 10; number += 1)
      await writeFile(join(folder, `000${number}_brought_by_an_upgrade.sql`), '');
    expect(await isCurrent()).toBe(true);
    await db.query({
      name: 'test_future',
      text: `INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'future', now())`,
    });
    expect(await isCurrent()).toBe(true);
    await db.query({ name: 'test_unapplied', text: 'DELETE FROM schema_migrations' });
    expect(await isCurrent()).toBe(false);
    await db.close();
  });
});
