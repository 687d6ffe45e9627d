import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createDatabase } from '../harness/service.js';
import { createTenant, storeKeyOf } from '../harness/tenant.js';
import { openDatabase } from '../../src/postgres/database.js';

const METRIC = /^comanda_database_troubled_stores (\d+)$/m;

it('statements of a store that hang are warned of once, counted, and told of when it is over', async () => {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const process = await startProcessOn(connection, { LOG_LEVEL: 'warn' });
  const service = asService(process);
  const tenant = await createTenant(service);
  const db = openDatabase({ connection, poolSize: 1 });
  const storeKey = await storeKeyOf({ db }, tenant);
  await db.close();
  const troubled = async () => {
    const { body } = await ask<string>(`${service.url}/metrics`, { key: service.operatorKey });
    return METRIC.exec(body)?.[1];
  };
  expect(await troubled()).toBe('0');

  const holder = new pg.Client(connection);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE orders, order_counts IN ACCESS EXCLUSIVE MODE');
  const orders = `${service.url}/v1/stores/${tenant.storeId}/orders/`;
  const read = ask(orders, { key: tenant.key });
  const warning = `fails for some stores or takes longer than 5 s (numbers ${storeKey})`;
  await expect.poll(process.output, { timeout: 30_000 }).toContain(warning);
  expect(await troubled()).toBe('1');
  // Given up after ten seconds; the store is troubled until one of its statements is answered.
  expect((await read).status).toBe(503);
  await holder.end();
  await expect.poll(async () => (await ask(orders, { key: tenant.key })).status).toBe(200);
  const isOver = 'The database answers for all stores again';
  await expect.poll(process.output, { timeout: 30_000 }).toContain(isOver);
  expect(process.output().split(warning)).toHaveLength(2);
  expect(process.output().split(isOver)).toHaveLength(2);
}, 120_000);
