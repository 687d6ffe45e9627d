import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PoolConfig } from 'pg';
import { openDatabase } from '../../src/db/database.js';
import { createSchemaCheck, migrate } from '../../src/db/migrate.js';
import { createDatabase } from '../harness/service.js';

let connection: PoolConfig;
let drop: () => Promise<void>;
beforeEach(async () => {
  ({ connection, drop } = await createDatabase());
});
afterEach(() => drop());

describe('migrate', () => {
  it('is done once when several replicas start together', async () => {
    const replicas = Array.from({ length: 4 }, () => openDatabase({ connection, poolSize: 1 }));
    const applied = await Promise.all(replicas.map(migrate));
    const all = applied.flat().sort();
    expect(all.length).toBeGreaterThan(0);
    expect(new Set(all).size).toBe(all.length);
    expect(await Promise.all(replicas.map((db) => createSchemaCheck(db)()))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await migrate(replicas[0] ?? openDatabase({ connection, poolSize: 1 }))).toEqual([]);
    await Promise.all(replicas.map((db) => db.close()));
  });

  it('refuses a database that is newer than the service', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    await migrate(db);
    await db.query({
      name: 'test_future',
      text: `INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'future', now())`,
    });
    await expect(migrate(db)).rejects.toThrow(/has schema 9999, and this version of the service knows only/);
    await db.close();
  });
});

describe('the schema check', () => {
  it('asks for what the service knew when it started, and does not mind more', async () => {
    const db = openDatabase({ connection, poolSize: 1 });
    await migrate(db);
    const folder = await mkdtemp(join(tmpdir(), 'comanda-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, '0001_known.sql'), '');
    const isCurrent = createSchemaCheck(db, pathToFileURL(`${folder}/`));
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
