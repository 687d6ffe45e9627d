import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isOnCitus } from '../harness/citus.js';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant } from '../harness/tenant.js';

const service = await useService();
const replica = await service.replica();

type Json = Record<string, unknown>;
const send = (method: string, path: string, body?: unknown) =>
  ask<Json>(`${service.url}/manage/v1/keys${path}`, { method, key: service.operatorKey, body });
const issueFor = async (seconds: number) => {
  const { merchantId } = await createTenant(service);
  const expires_at = new Date(Date.now() + seconds * 1_000).toISOString();
  return createKey(service, { merchant_id: merchantId, permissions: ['read'], expires_at });
};
/** The key's time has come: no test waits for it, and none is too slow to use the key before. */
const expire = (id: string) =>
  service.db.query({
    name: 'test_expire',
    text: 'UPDATE api_keys SET expires_at = $2 WHERE api_keys.id = $1',
    values: [id, new Date(Date.now() - 1_000)],
  });
const secondsLeft = async (id: string) => {
  const [row] = await service.db.query<{ left: number }>({
    name: 'test_seconds_left',
    text: `SELECT extract(epoch FROM api_keys.expires_at - clock_timestamp())::float8 AS left
           FROM api_keys WHERE api_keys.id = $1`,
    values: [id],
  });
  return row?.left;
};
const statusWith = async (key: string, where = service) =>
  (await ask(`${where.url}/v1/stores/`, { key })).status;

describe('keys', () => {
  it('are listed without their secret', async () => {
    const { merchantId, keyId, key } = await createTenant(service);
    const listed = await ask<Json[]>(`${service.url}/manage/v1/keys?merchant_id=${merchantId}`, {
      key: service.operatorKey,
    });
    expect(listed.body).toEqual([
      {
        id: keyId,
        kind: 'merchant',
        merchant_id: merchantId,
        permissions: ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'],
        last_four: key.slice(-4),
        created_at: expect.any(String) as string,
        issued_by: 'operator',
      },
    ]);
    expect(JSON.stringify(listed.body)).not.toContain(key);
  });

  it('are kept as a hash alone', async () => {
    const { key } = await createTenant(service);
    const rows = await service.db.query({
      name: 'test_dump',
      text: 'SELECT api_keys::text AS all FROM api_keys',
    });
    expect(JSON.stringify(rows)).not.toContain(key.slice(8, 40));
  });

  it('no longer work from the very next request after being revoked, on every replica', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { key, keyId } = await createTenant(service);
      expect([await statusWith(key), await statusWith(key, replica)]).toEqual([200, 200]);
      expect((await send('DELETE', `/${keyId}`)).status).toBe(204);
      expect([await statusWith(key, replica), await statusWith(key)]).toEqual([401, 401]);
    }
  });

  it('may be revoked twice, and an unknown one not at all', async () => {
    const { keyId } = await createTenant(service);
    expect([(await send('DELETE', `/${keyId}`)).status, (await send('DELETE', `/${keyId}`)).status]).toEqual([
      204, 204,
    ]);
    const unknown = await send('DELETE', '/01980c6e-5c00-7000-8000-00000000ffff');
    expect([unknown.status, unknown.body]).toEqual([404, { detail: 'Key not found' }]);
  });

  it('are looked for before the permission and the body are looked at', async () => {
    const [own, other] = [await createTenant(service, ['read']), await createTenant(service)];
    const statuses = (id: string, key: string) =>
      Promise.all(
        [['PATCH', ''] as const, ['POST', '/rotate'] as const].map(
          async ([method, path]) =>
            (await ask(`${service.url}/manage/v1/keys/${id}${path}`, { method, key, body: [] })).status,
        ),
      );
    expect(await statuses(other.keyId, own.key)).toEqual([404, 404]);
    expect(await statuses(randomUUID(), service.operatorKey)).toEqual([404, 404]);
    expect(await statuses(own.keyId, own.key)).toEqual([403, 403]);
    expect(await statuses(own.keyId, service.operatorKey)).toEqual([422, 422]);
  });

  it('work until they expire', async () => {
    const { id, key } = await issueFor(3_600);
    expect(await statusWith(key)).toBe(200);
    await expire(id);
    expect(await statusWith(key)).toBe(401);
  });

  it('expire by themselves', async () => {
    const { key } = await issueFor(1);
    await expect.poll(() => statusWith(key)).toBe(401);
  });

  it('are rotated with an overlap: both work, then the new one alone', async () => {
    const { key, keyId, merchantId } = await createTenant(service);
    const rotated = await send('POST', `/${keyId}/rotate`, { overlap_seconds: 3_600 });
    expect([rotated.status, rotated.body]).toMatchObject([
      201,
      { rotated_from: keyId, merchant_id: merchantId },
    ]);
    const fresh = String(rotated.body['key']);
    expect([await statusWith(key), await statusWith(fresh)]).toEqual([200, 200]);
    const left = await secondsLeft(keyId);
    expect(left).toBeGreaterThan(3_000);
    expect(left).toBeLessThanOrEqual(3_600);
    await expire(keyId);
    expect([await statusWith(key), await statusWith(fresh)]).toEqual([401, 200]);
    expect((await send('POST', `/${keyId}/rotate`)).status).toBe(409);
  });

  it.skipIf(isOnCitus)('are found by the one they replace through an index', async () => {
    const plan = await service.db.transaction(async (tx) => {
      await tx.client.query('SET LOCAL enable_seqscan = off');
      return tx.query({
        name: 'test_successor',
        text: `EXPLAIN SELECT id FROM api_keys WHERE rotated_from = '01980c6e-5c00-7000-8000-000000000001'`,
      });
    });
    expect(JSON.stringify(plan)).toContain('api_keys_rotated_from');
  });

  it('are rotated without a body, the old one working on', async () => {
    const { key, keyId } = await createTenant(service);
    const rotated = await send('POST', `/${keyId}/rotate`);
    expect(rotated.status).toBe(201);
    expect([await statusWith(key), await statusWith(String(rotated.body['key']))]).toEqual([200, 200]);
  });

  it('are replaced without reading all keys for a successor', async () => {
    await service.db.query({
      name: 'test_many_keys',
      text: `INSERT INTO api_keys (id, secret_hash, permissions, last_four, created_at, rotated_from)
             SELECT gen_random_uuid(), uuid_send(gen_random_uuid()), '{}', 'many', now(),
                    CASE WHEN n % 2 = 0 THEN gen_random_uuid() END
             FROM generate_series(1, 5000) AS n`,
    });
    const plan = await service.db.withClient(async (client) => {
      await client.query('ANALYZE api_keys');
      return client.query(`EXPLAIN SELECT FROM api_keys WHERE rotated_from = '${randomUUID()}'`);
    });
    expect(JSON.stringify(plan.rows)).toContain('api_keys_rotated_from');
  });

  it('are replaced once; what is rotated next is the successor, whose expiry is the first key’s', async () => {
    const { merchantId } = await createTenant(service);
    const expires_at = '2100-01-01T00:00:00.000Z';
    const first = await createKey(service, { merchant_id: merchantId, permissions: ['read'], expires_at });
    const second = await send('POST', `/${first.id}/rotate`);
    expect([second.status, second.body]).toMatchObject([201, { expires_at }]);
    const again = await send('POST', `/${first.id}/rotate`);
    expect([again.status, again.body]).toEqual([
      409,
      { detail: `This key was replaced by ${String(second.body['id'])}. Rotate that one instead.` },
    ]);
    const third = await send('POST', `/${String(second.body['id'])}/rotate`);
    expect([third.status, third.body]).toMatchObject([201, { expires_at, rotated_from: second.body['id'] }]);
  });

  it('are replaced once when two ask at the same moment', async () => {
    const { keyId } = await createTenant(service);
    const both = await Promise.all([
      send('POST', `/${keyId}/rotate`),
      ask(`${replica.url}/manage/v1/keys/${keyId}/rotate`, { method: 'POST', key: service.operatorKey }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('tell when they were last used', async () => {
    const { key, keyId, merchantId } = await createTenant(service);
    await statusWith(key);
    await expect
      .poll(async () => {
        const url = `${service.url}/manage/v1/keys?merchant_id=${merchantId}`;
        const { body } = await ask<Json[]>(url, { key: service.operatorKey });
        return body.find(({ id }) => id === keyId)?.['last_used_at'];
      })
      .toMatch(/Z$/);
  });

  it.each<[Json, unknown[], string]>([
    [{ permissions: ['write'] }, ['permissions', 0], 'enum'],
    [{ permissions: [] }, ['permissions'], 'too_short'],
    [{ permissions: undefined }, ['permissions'], 'missing'],
    [{ merchant_id: 'x' }, ['merchant_id'], 'unresolved_reference'],
    [{ store_ids: ['x'] }, ['store_ids', 0], 'unresolved_reference'],
    [{ expires_at: 'tomorrow' }, ['expires_at'], 'datetime_from_date_parsing'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, ['expires_at'], 'value_error'],
    [{ label: '' }, ['label'], 'string_too_short'],
  ])('are refused with %j', async (change, loc, type) => {
    const { merchantId } = await createTenant(service);
    const { status, body } = await send('POST', '', {
      merchant_id: merchantId,
      permissions: ['read'],
      ...change,
    });
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', ...loc], type }] }]);
  });

  it('have a label of up to 10,000 characters', async () => {
    const { merchantId } = await createTenant(service);
    const issue = (length: number) =>
      send('POST', '', { merchant_id: merchantId, permissions: ['read'], label: 'x'.repeat(length) });
    expect([(await issue(10_000)).status, (await issue(10_001)).status]).toEqual([201, 422]);
  });

  it('cannot name a store of another merchant', async () => {
    const mine = await createTenant(service);
    const other = await createTenant(service);
    const { status } = await send('POST', '', {
      merchant_id: mine.merchantId,
      store_ids: [mine.storeId, other.storeId],
      permissions: ['read'],
    });
    expect(status).toBe(422);
  });
});

describe('the rate limit', () => {
  it('answers 429 with Retry-After once the burst is spent, for that key alone', async () => {
    const strict = await service.replica({ requestsPerSecond: 0.001, requestBurst: 3 });
    const { key } = await createTenant(service);
    const { key: other } = await createTenant(service);
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push(await statusWith(key, strict));
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask(`${strict.url}/v1/stores/`, { key });
    expect(refused.body).toEqual({ detail: 'Too Many Requests' });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeLessThanOrEqual(1000);
    expect(seconds).toBeGreaterThan(500);
    expect(await statusWith(other, strict)).toBe(200);
    await strict.stop();
  });
});
