import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { takeCellNumbers } from '../../src/postgres/cell-numbers.js';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { nextStoreKey } from '../../src/tenants/stores.sql.js';
import { isWellFormedSecret } from '../../src/access/secret.js';
import { newSecret } from '../../src/tenants/keys.js';
import { createDatabase } from '../harness/service.js';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createDatabase(inject('template'));
  drop = created.drop;
  db = openDatabase({ connection: created.connection, poolSize: 2 });
});
afterAll(async () => {
  await db.close();
  await drop();
});

it('gives an installation the numbers of its cell before its first store, and no others afterwards', async () => {
  await takeCellNumbers(db, 0);
  await Promise.all([takeCellNumbers(db, 5), takeCellNumbers(db, 5)]);
  expect(await nextStoreKey(db)).toBe(5 * 2 ** 19);
  expect(await nextStoreKey(db)).toBe(5 * 2 ** 19 + 1);
  expect(await db.query({ name: 'test_id', text: `SELECT nextval('menu_entity_ids') AS id` })).toEqual([
    { id: 5 * 2 ** 41 },
  ]);
  const secret = await newSecret(db);
  expect(secret).toMatch(/^comanda_5_[0-9A-Za-z]{49}$/);
  expect(isWellFormedSecret(secret)).toBe(true);
  expect(isWellFormedSecret(`${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`)).toBe(false);
  await takeCellNumbers(db, 5);
  await expect(takeCellNumbers(db, 6)).rejects.toThrow('belongs to cell 5, but COMANDA_CELL is 6');
  await expect(takeCellNumbers(db, 0)).rejects.toThrow('belongs to cell 5, but COMANDA_CELL is 0');
});
