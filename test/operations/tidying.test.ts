import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tidy } from '../../src/operations/tidying.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { startService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const run = (text: string) => service.db.withClient((client) => client.query(text));

describe('an Idempotency-Key of an order', () => {
  it('is forgotten by the tidying after a day, of every store, and not before', async () => {
    const tenants = [await createTenant(service), await createTenant(service)];
    const send = (key: string) =>
      Promise.all(
        tenants.map(async (tenant) => {
          const { status, body } = await takeIn(service, tenant, {}, { 'idempotency-key': key });
          return `${status} ${body.id}`;
        }),
      );
    const [old, recent] = [await send('old'), await send('recent')];
    await run(`UPDATE order_intake_keys SET taken_at = now() - interval '25 hours'
               WHERE client_key LIKE '%old'`);
    await tidy(service.db);
    expect(await send('recent')).toEqual(recent);
    const anew = await send('old');
    expect(anew.every((answer) => answer.startsWith('201 ') && !old.includes(answer))).toBe(true);
  });

  it('is never swept in the batch of an order: a sweep that cannot go on holds nobody up', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant, {}, { 'idempotency-key': 'long ago' });
    await run(`UPDATE order_intake_keys SET taken_at = now() - interval '25 hours'`);
    const replica = await service.replica();
    await service.db.transaction(async (tx) => {
      await tx.client.query('SELECT FROM order_intake_keys FOR UPDATE');
      const taken = await takeIn(replica, tenant, {}, { 'idempotency-key': 'now' });
      expect(taken.status).toBe(201);
      await tidy(replica.db);
    });
    await replica.stop();
  });

  it('is forgotten however many there are', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    await run(`INSERT INTO order_intake_keys (store_key, client_key, order_id, fingerprint, taken_at)
               SELECT s.store_key, 'many ' || n, gen_random_uuid(), '', now() - interval '2 days'
               FROM stores s, generate_series(1, 2500) n WHERE s.id = '${tenant.storeId}'`);
    await tidy(service.db);
    const { rows } = await run(`SELECT FROM order_intake_keys WHERE client_key LIKE 'many %'`);
    expect(rows).toHaveLength(0);
  });
});

describe('the answer kept under an Idempotency-Key', () => {
  it('is forgotten after a day', async () => {
    const create = async () => {
      const answer = await ask<{ id: string }>(`${service.url}/manage/v1/merchants`, {
        method: 'POST',
        key: service.operatorKey,
        body: { brand_name: 'Casa' },
        headers: { 'idempotency-key': 'once' },
      });
      return answer.body.id;
    };
    const first = await create();
    await tidy(service.db);
    expect(await create()).toBe(first);
    await run(`UPDATE idempotent_answers SET created_at = now() - interval '25 hours'`);
    await tidy(service.db);
    expect((await run('SELECT FROM idempotent_answers')).rows).toHaveLength(0);
  });
});
