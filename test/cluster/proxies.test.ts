import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { findFreePort } from '../harness/free-port.js';
import { orderRequest } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { adaptedConfig, findProgram, runProgram } from './programs.js';

const service = await useService();
const tenant = await createTenant(service);

const nginx = findProgram('nginx');
const caddy = findProgram('caddy');
const haproxy = findProgram('haproxy');

/** The address of a proxy in front of the service, set up as packaging/ has it but for the ports. */
async function behind(name: string): Promise<string> {
  const port = await findFreePort();
  const target = new URL(service.url).port;
  const withPorts = (text: string) => text.replaceAll('8000', String(port)).replaceAll(/808\d/g, target);
  if (name === 'nginx') {
    const { file } = await adaptedConfig(
      'proxy/nginx.conf',
      (text, folder) =>
        `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}\n` +
        `http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; ${withPorts(text)} }`,
    );
    await runProgram(nginx ?? '', ['-c', file], port);
  } else if (name === 'caddy') {
    const { file } = await adaptedConfig(
      'proxy/Caddyfile',
      (text) => `{\n\tadmin off\n}\n${withPorts(text)}`,
    );
    await runProgram(caddy ?? '', ['run', '--adapter', 'caddyfile', '--config', file], port);
  } else {
    const { file } = await adaptedConfig('proxy/haproxy.cfg', withPorts);
    await runProgram(haproxy ?? '', ['-db', '-f', file], port);
  }
  return `http://127.0.0.1:${port}`;
}

describe.each([
  ['nginx', nginx],
  ['caddy', caddy],
  ['haproxy', haproxy],
])('behind %s', (name, program) => {
  it.runIf(program !== undefined)('everything works as without it, but for the metrics', async () => {
    const url = await behind(name);
    await expect.poll(async () => (await ask(`${url}/readyz`)).status).toBe(200);
    const { storeId, key } = tenant;
    const orders = `${url}/manage/v1/stores/${storeId}/orders`;
    expect((await ask(orders, { method: 'POST', key, body: orderRequest() })).status).toBe(201);

    const large = { items: [], note: 'x'.repeat(15 * 1024 * 1024) };
    const menu = `${url}/v1/stores/${storeId}/menu_configuration/`;
    expect((await ask(menu, { method: 'POST', key, body: large })).status).toBe(200);
    const tag = (await ask(menu, { key })).headers.get('etag') ?? '';
    expect((await ask(menu, { key, headers: { 'if-none-match': tag } })).status).toBe(304);

    const line = `${JSON.stringify({ store_id: storeId, ...orderRequest() })}\n`;
    const imported = await ask<{ created: number }>(`${url}/manage/v1/orders/import`, {
      method: 'POST',
      key,
      body: line.repeat(5),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect([imported.status, imported.body.created]).toEqual([200, 5]);
    const strange = await ask(`${url}/v1/stores/a%2Fb%ff`, { key });
    expect([strange.status, strange.body]).toEqual([404, { detail: 'Store not found' }]);
    expect((await ask(`${url}/metrics`, { key: service.operatorKey })).status).toBe(404);
  });
});

it.runIf(haproxy !== undefined)(
  'HAProxy makes a connection that a dead replica refuses to another',
  async () => {
    const [port, dead] = [await findFreePort(), await findFreePort()];
    const target = new URL(service.url).port;
    const { file } = await adaptedConfig('proxy/haproxy.cfg', (text) =>
      text
        .replace('8000', String(port))
        .replace('8081', String(dead))
        .replaceAll(/808\d/g, target)
        // It is not noticed while the test runs.
        .replace('inter 500ms', 'inter 600s'),
    );
    await runProgram(haproxy ?? '', ['-db', '-f', file], port);
    const statuses = new Set<number>();
    for (let i = 0; i < 30; i += 1) statuses.add((await ask(`http://127.0.0.1:${port}/healthz`)).status);
    expect([...statuses]).toEqual([200]);
  },
);
