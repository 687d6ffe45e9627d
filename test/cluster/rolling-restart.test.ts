import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { findFreePort } from '../harness/free-port.js';
import { orderRequest } from '../harness/orders.js';
import { startProcess, type ServiceProcess } from '../harness/process.js';
import { createTenant } from '../harness/tenant.js';
import { createDatabaseUrl } from './database-url.js';
import { adaptedConfig, findProgram, runProgram } from './programs.js';

const haproxy = findProgram('haproxy');
const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';
const CLIENTS = 8;

it.runIf(haproxy !== undefined)(
  'a rolling restart of three replicas behind HAProxy loses no request, with the defaults and nothing sent twice',
  async () => {
    const DATABASE_URL = await createDatabaseUrl('rolling');
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
    const start = async (port: number): Promise<ServiceProcess> => {
      const replica = await startProcess({
        DATABASE_URL,
        PORT: String(port),
        COMANDA_OPERATOR_KEY: OPERATOR_KEY,
        COMANDA_RATE_LIMIT: 'off',
      });
      await replica.untilReady();
      return replica;
    };
    const replicas = new Map<number, ServiceProcess>();
    for (const port of ports) replicas.set(port, await start(port));
    onTestFinished(async () => {
      for (const { child, ended } of replicas.values()) {
        child.kill('SIGTERM');
        await ended;
      }
    });

    const port = await findFreePort();
    const { file } = await adaptedConfig('proxy/haproxy.cfg', (text) =>
      ports.reduce(
        (changed, own, i) => changed.replace(`:808${i + 1}`, `:${own}`),
        text.replace(':8000', `:${port}`),
      ),
    );
    await runProgram(haproxy ?? '', ['-db', '-f', file], port);
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(async () => (await ask(`${url}/readyz`)).status).toBe(200);
    const { storeId, key } = await createTenant({ url, operatorKey: OPERATOR_KEY });

    const statuses = new Map<number | string, number>();
    const load = { isOn: true };
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (load.isOn) {
        const answers = [
          ask(`${url}/v1/stores/${storeId}/orders/`, { key }),
          ask(`${url}/manage/v1/stores/${storeId}/orders`, { method: 'POST', key, body: orderRequest() }),
        ];
        for (const answer of answers) {
          const status = await answer.then(({ status }) => status, String);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
    });
    for (const [own, replica] of replicas) {
      replica.child.kill('SIGTERM');
      expect(await replica.ended).toBe(0);
      replicas.set(own, await start(own));
      await delay(1_500);
    }
    load.isOn = false;
    await Promise.all(clients);
    expect([...statuses.keys()].sort()).toEqual([200, 201]);
    expect(statuses.get(201)).toBeGreaterThan(50);
  },
);
