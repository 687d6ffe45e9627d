import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { call, openSession } from '../console/browser-session.js';
import { ask } from '../harness/client.js';
import { findFreePort } from '../harness/free-port.js';
import { orderRequest } from '../harness/orders.js';
import { startForTest } from '../harness/process.js';
import type { Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createDatabaseUrl } from './database-url.js';
import { adaptedConfig, findProgram, runProgram } from './programs.js';

const haproxy = findProgram('haproxy');
const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';

async function startCell(cell: number): Promise<{ url: string; port: string; operatorKey: string }> {
  const service = await startForTest({
    DATABASE_URL: await createDatabaseUrl(`cell_${cell}`),
    COMANDA_OPERATOR_KEY: OPERATOR_KEY,
    COMANDA_RATE_LIMIT: 'off',
    COMANDA_CELL: String(cell),
  });
  await service.untilReady();
  return { url: service.url, port: new URL(service.url).port, operatorKey: OPERATOR_KEY };
}

const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;

async function moveMerchant(merchantId: string, from: string, to: string) {
  const child = spawn(process.execPath, [CLI, 'merchants', 'move', merchantId, '--to', to], {
    env: { PATH: process.env['PATH'], COMANDA_URL: from, COMANDA_KEY: OPERATOR_KEY },
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code: child.exitCode, output };
}

it.runIf(haproxy !== undefined)(
  'two cells behind HAProxy get what is theirs, by the id in the path or by the key',
  async () => {
    const cells = [await startCell(0), await startCell(7)];
    const port = await findFreePort();
    const { file, folder } = await adaptedConfig('proxy/haproxy-cells.cfg', (text) =>
      cells.reduce(
        (changed, own, i) => changed.replace(`:808${i + 1}`, `:${own.port}`),
        text.replace(':8000', `:${port}`),
      ),
    );
    await copyFile(new URL('../../packaging/proxy/moved.map', import.meta.url), join(folder, 'moved.map'));
    const haproxyProcess = await runProgram(haproxy ?? '', ['-db', '-f', file], port);
    const url = `http://127.0.0.1:${port}`;

    for (const [at, cell] of cells.entries()) {
      for (let round = 0; round < 10; round += 1) {
        const { storeId, key } = await createTenant(cell);
        expect(key).toMatch(at === 0 ? /^comanda_[0-9A-Za-z]{49}$/ : /^comanda_7_[0-9A-Za-z]{49}$/);
        const made = await ask<{ id: string }>(`${url}/manage/v1/stores/${storeId}/orders`, {
          method: 'POST',
          key,
          body: orderRequest(),
        });
        expect(made.status).toBe(201);
        // A key that says no cell is led by the path alone.
        for (const who of [key, OPERATOR_KEY]) {
          const seen = [
            await ask(`${url}/v1/stores/${storeId}`, { key: who }),
            await ask(`${url}/v1/stores/${storeId}/orders/`, { key: who }),
            await ask(`${url}/v1/orders/${made.body.id}`, { key: who }),
            await ask(`${url}/manage/v1/orders/${made.body.id}/history`, { key: who }),
          ];
          expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        }
        const stores = await ask<{ id: string }[]>(`${url}/v1/stores/`, { key });
        expect(stores.body.map(({ id }) => id)).toEqual([storeId]);
      }
    }

    for (const cell of cells) {
      const { storeId, key } = await createTenant(cell);
      const front = { url } as Service;
      const cookie = await openSession(front, key);
      const { status, body } = await call<{ id: string }[]>(front, cookie, '/v1/stores/');
      expect([status, body.map(({ id }) => id)]).toEqual([200, [storeId]]);
    }
    // A merchant that has moved is an exception, by the number of its store and by its key.
    const [old, now] = cells as [(typeof cells)[0], (typeof cells)[0]];
    const moved = await createTenant(old);
    const { code, output } = await moveMerchant(moved.merchantId, old.url, now.url);
    expect([code, output]).toEqual([0, expect.stringContaining('has moved')]);
    const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const asks = () =>
      Promise.all([
        // As assistants may send it.
        ask(`${url}/mcp`, {
          method: 'POST',
          headers: { authorization: `Bearer ${moved.key}` },
          body: listTools,
        }),
        ask(`${url}/v1/stores/${moved.storeId}`, { key: moved.key }),
        ask(`${url}/v1/stores/`, { key: moved.key }),
      ]);
    expect((await asks()).map(({ status }) => status)).toEqual([421, 421, 421]);
    await appendFile(join(folder, 'moved.map'), `${moved.storeId.slice(-8)} 7\n${moved.key} 7\n`);
    haproxyProcess.kill('SIGTERM');
    await once(haproxyProcess, 'close');
    await runProgram(haproxy ?? '', ['-db', '-f', file], port);
    expect((await asks()).map(({ status }) => status)).toEqual([200, 200, 200]);
    // Nothing of a cell that is not here is known, and that is what the answer says.
    const elsewhere = `${url}/v1/stores/01980c6e-5c00-7000-8000-00007fffffff`;
    expect((await ask(elsewhere, { key: OPERATOR_KEY })).status).toBe(404);
  },
);
