import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/db/database.js';
import { DatabaseUnavailable } from '../../src/domain/errors.js';
import { createDatabase } from '../harness/service.js';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createDatabase();
  drop = created.drop;
  db = openDatabase({ connection: created.connection, poolSize: 2, statementTimeoutMs: 300 });
});
afterAll(async () => {
  await db.close();
  await drop();
});

const lock = { name: 'lock', text: 'SELECT pg_advisory_xact_lock(1)' };
const sleep = { name: 'sleep', text: 'SELECT pg_sleep(60)' };

it('is unavailable to a statement that takes too long, and available to the next', async () => {
  await expect(db.query(sleep)).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(db.transaction((tx) => tx.query(sleep))).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await db.query({ name: 'one', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

it('is unavailable to a transaction that waits too long for another', async () => {
  await db.transaction(async (tx) => {
    await tx.query(lock);
    await expect(db.transaction((other) => other.query(lock))).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
