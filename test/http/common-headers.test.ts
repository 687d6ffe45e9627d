import { expect, it, onTestFinished } from 'vitest';
import { isOnCitus } from '../harness/citus.js';
import { ask } from '../harness/client.js';
import { orderRequest } from '../harness/orders.js';
import { startService, useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);

it('tells with every answer to a key how much of its rate is left', async () => {
  const limited = await service.replica({ requestsPerSecond: 0.001, requestBurst: 3 });
  onTestFinished(() => limited.stop());
  const left = async (path: string) => {
    const { status, headers } = await ask(limited.url + path, { key: tenant.key });
    return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')];
  };
  expect(await left('/v1/stores/')).toEqual([200, '3', '2']);
  expect(await left('/v1/stores/?limit=x')).toEqual([422, '3', '1']);
  expect(await left('/v1/stores/unknown')).toEqual([404, '3', '0']);
  expect(await left('/v1/stores/')).toEqual([429, '3', '0']);
  const keyless = await ask(`${limited.url}/healthz`);
  expect(keyless.headers.has('ratelimit-limit')).toBe(false);
});

it('lets pages of the allowed origins in, and no others', async () => {
  const preflight = (origin: string) =>
    ask(`${service.url}/v1/stores/`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    });
  const allowed = await preflight('https://till.example');
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'https://till.example',
  ]);
  const asked = allowed.headers.get('access-control-allow-headers')?.split(', ');
  // Assistants in a page send the last three by themselves.
  for (const name of ['x-api-key', 'authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
    expect(asked).toContain(name);
  const refused = await preflight('https://other.example');
  expect([refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([405, false]);

  const read = (origin: string) => ask(`${service.url}/v1/stores/`, { key: tenant.key, headers: { origin } });
  const { headers } = await read('https://till.example');
  expect(headers.get('access-control-allow-origin')).toBe('https://till.example');
  expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
  expect((await read('https://other.example')).headers.has('access-control-allow-origin')).toBe(false);
});

// Citus has no triggers.
it.skipIf(isOnCitus)(
  'is 503 with a sentence while the disk is full, says so when asked whether it is ready, and reads go on',
  async () => {
    const full = await startService();
    onTestFinished(() => full.stop());
    const { storeId, key } = await createTenant(full);
    const administer = (text: string) => full.db.query({ name: '', text });
    await administer(`
    CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`);
    await administer(
      'CREATE TRIGGER no_room BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION fill_up()',
    );
    const url = `${full.url}/manage/v1/stores/${storeId}/orders`;
    const post = () => ask(url, { method: 'POST', key, body: orderRequest() });
    const detail = 'The database disk is full. Nothing was changed. Try again when there is space.';
    const refused = await post();
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      503,
      { detail },
      '10',
    ]);
    const readiness = await ask(`${full.url}/readyz`);
    expect([readiness.status, readiness.body]).toEqual([503, { detail }]);
    expect((await ask(`${full.url}/v1/stores/${storeId}/orders/`, { key })).status).toBe(200);
    await administer('DROP TRIGGER no_room ON orders');
    expect((await post()).status).toBe(201);
  },
);

it('shows the metrics to an operator key or the token, and to nobody else', async () => {
  const status = async (headers: Record<string, string>, key?: string) =>
    (await ask(`${service.url}/metrics`, { headers, key })).status;
  expect(await status({})).toBe(401);
  expect(await status({}, tenant.key)).toBe(403);
  expect(await status({}, service.operatorKey)).toBe(200);
  expect(await status({ authorization: 'Bearer metrics-token-for-tests-0123456789' })).toBe(200);
  expect(await status({ authorization: 'Bearer metrics-token-for-tests-0123456780' })).toBe(401);
});
