import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { createLog } from '../../src/start/log.js';
import { createDatabase } from '../harness/service.js';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const made = await createDatabase();
  drop = made.drop;
  db = openDatabase({ connection: made.connection, poolSize: 1 });
});
afterAll(async () => {
  await db.close();
  await drop();
});

async function failOnARow(): Promise<unknown> {
  await db.query({ name: 'make', text: 'CREATE TABLE customers (phone text PRIMARY KEY)' });
  const insert = { name: 'insert', text: `INSERT INTO customers VALUES ('+43 1 555 0100')` };
  await db.query(insert);
  return db.query(insert).catch((error: unknown) => error);
}

it('says of an error of the database what it is, and nothing of the row it is about', async () => {
  const error = await failOnARow();
  expect((error as { detail: string }).detail).toContain('555 0100');
  for (const isText of [false, true]) {
    const target = new PassThrough();
    createLog('info', isText, target).error({ err: new Error('outer', { cause: error }) }, 'request failed');
    const text = String(target.read());
    expect(text).not.toContain('555 0100');
    if (isText) continue;
    expect(JSON.parse(text)).toMatchObject({
      msg: 'request failed',
      err: {
        type: 'Error',
        message: 'outer',
        cause: { type: 'error', code: '23505', message: expect.stringContaining('customers_pkey') as string },
      },
    });
  }
});
