import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { administer } from '../harness/administer.js';
import { ask } from '../harness/client.js';
import { orderRequest } from '../harness/orders.js';
import { startForTest } from '../harness/process.js';
import { createTenant } from '../harness/tenant.js';
import { findPostgres, makeServer } from './postgres.js';

const bin = findPostgres();
const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';
const CLIENTS = 6;

it.runIf(bin !== undefined)(
  'when the server that takes writes is lost, the next one is found, and no acknowledged order is lost',
  async () => {
    const first = await makeServer(bin ?? '');
    first.start();
    await administer(
      { host: '127.0.0.1', port: first.port, user: 'comanda', database: 'postgres' },
      'CREATE DATABASE comanda',
    );
    const second = await makeServer(bin ?? '', { leader: first });
    second.start();
    first.stop('fast');
    first.start(["synchronous_standby_names='*'"]);

    // The follower is named first, so the service has to pass it over from the beginning.
    const service = await startForTest({
      DATABASE_URL: `postgres://comanda@127.0.0.1:${second.port},127.0.0.1:${first.port}/comanda?target_session_attrs=read-write`,
      COMANDA_OPERATOR_KEY: OPERATOR_KEY,
      COMANDA_RATE_LIMIT: 'off',
    });
    await service.untilReady();
    const { storeId, key } = await createTenant({ url: service.url, operatorKey: OPERATOR_KEY });

    const orders = `${service.url}/manage/v1/stores/${storeId}/orders`;
    const acknowledged = new Set<string>();
    const statuses = new Set<number>();
    const load = { isOn: true, promotedAt: 0, recoveredAt: 0 };
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (load.isOn) {
        const answer = await ask<{ id: string }>(orders, { method: 'POST', key, body: orderRequest() });
        statuses.add(answer.status);
        if (answer.status === 201) {
          acknowledged.add(answer.body.id);
          if (load.promotedAt > 0 && load.recoveredAt === 0) load.recoveredAt = performance.now();
        } else await delay(50);
      }
    });
    await expect.poll(() => acknowledged.size).toBeGreaterThan(50);
    first.stop('immediate');
    await expect.poll(async () => (await ask(`${service.url}/readyz`)).status).toBe(503);
    load.promotedAt = performance.now();
    second.promote();
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 50);
    load.isOn = false;
    await Promise.all(clients);
    console.info(
      `an order was taken ${Math.round(load.recoveredAt - load.promotedAt)} ms after the promotion began`,
    );

    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect((await ask(`${service.url}/readyz`)).status).toBe(200);
    const found = new Set<string>();
    for (let page = 1; ; page += 1) {
      const list = `${service.url}/v1/stores/${storeId}/orders/?page_size=100&page_index=${page}`;
      const { body } = await ask<{ order_result_list: { id: string }[] }>(list, { key });
      if (body.order_result_list.length === 0) break;
      for (const { id } of body.order_result_list) found.add(id);
    }
    expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
  },
);
