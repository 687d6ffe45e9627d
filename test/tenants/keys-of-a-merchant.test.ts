import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

type Json = Record<string, unknown>;
const send = (key: string, method: string, path: string, body?: unknown) =>
  ask<Json>(`${service.url}/manage/v1/keys${path}`, { method, key, body });

/** A merchant with two stores, a key of its manager for the first of them, and one of its owner for both. */
async function setUp(): Promise<Tenant & { owner: string; manager: string; other: string; till: string }> {
  const tenant = await createTenant(service);
  const other = await createStore(service, tenant.merchantId);
  const make = (more: object) => createKey(service, { merchant_id: tenant.merchantId, ...more });
  const owner = await make({ permissions: ['read', 'orders:write', 'store:write', 'keys:write'] });
  const manager = await make({ permissions: ['read', 'keys:write'], store_ids: [tenant.storeId] });
  return { ...tenant, other, owner: owner.key, manager: manager.key, till: tenant.keyId };
}

describe('a key with keys:write', () => {
  it('issues keys of its merchant that reach no further than itself', async () => {
    const { owner, manager, merchantId, storeId, other } = await setUp();
    const issued = await send(owner, 'POST', '', { permissions: ['read'], label: 'Kitchen tablet' });
    expect([issued.status, issued.body]).toMatchObject([
      201,
      { merchant_id: merchantId, permissions: ['read'], label: 'Kitchen tablet' },
    ]);
    const lacks = await send(owner, 'POST', '', { permissions: ['read', 'menu:write'] });
    expect([lacks.status, lacks.body]).toEqual([403, { detail: 'This key lacks the permission menu:write' }]);
    const permissions = ['read'];
    const tries = [{}, { store_ids: [other] }, { store_ids: [storeId, other] }, { store_ids: [storeId] }];
    const statuses = [];
    for (const more of tries)
      statuses.push((await send(manager, 'POST', '', { permissions, ...more })).status);
    expect(statuses).toEqual([403, 403, 403, 201]);
  });

  it('knows no other merchant', async () => {
    const { owner } = await setUp();
    const foreign = await createTenant(service);
    const issue = await send(owner, 'POST', '', { merchant_id: foreign.merchantId, permissions: ['read'] });
    expect([issue.status, issue.body]).toMatchObject([422, { detail: [{ loc: ['body', 'merchant_id'] }] }]);
    const store = await send(owner, 'POST', '', { permissions: ['read'], store_ids: [foreign.storeId] });
    expect([store.status, store.body]).toMatchObject([422, { detail: [{ loc: ['body', 'store_ids', 0] }] }]);
    expect((await send(owner, 'GET', `?merchant_id=${foreign.merchantId}`)).body).toEqual([]);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/sign_in_link'],
    ] as const) {
      const answer = await send(owner, method, `/${foreign.keyId}${path}`, { label: 'mine' });
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Key not found' }]);
    }
  });

  it('lists the keys of its merchant, and neither changes nor takes over a stronger one', async () => {
    const { owner, manager, till } = await setUp();
    const listed = await ask<Json[]>(`${service.url}/manage/v1/keys`, { key: manager });
    expect(listed.body).toHaveLength(3);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/sign_in_link'],
    ] as const)
      expect((await send(owner, method, `/${till}${path}`, { label: 'mine' })).status).toBe(403);
    expect((await ask(`${service.url}/v1/stores/`, { key: owner })).status).toBe(200);
  });

  it('changes label, permissions and stores of a key from the very next request on', async () => {
    const { owner, storeId, other } = await setUp();
    const { body: tablet } = await send(owner, 'POST', '', { permissions: ['read', 'orders:write'] });
    const change = (patch: object) => send(owner, 'PATCH', `/${String(tablet['id'])}`, patch);
    const renamed = await change({ label: 'Bar tablet', store_ids: [storeId], permissions: ['read'] });
    expect([renamed.status, renamed.body]).toMatchObject([
      200,
      { label: 'Bar tablet', store_ids: [storeId], permissions: ['read'] },
    ]);
    const see = async (id: string) =>
      (await ask(`${service.url}/v1/stores/${id}`, { key: String(tablet['key']) })).status;
    expect([await see(storeId), await see(other)]).toEqual([200, 404]);
    const cleared = await change({ label: null, store_ids: null });
    expect(cleared.body['label']).toBeUndefined();
    expect([await see(storeId), await see(other)]).toEqual([200, 200]);
    expect((await change({ permissions: ['menu:write'] })).status).toBe(403);
    expect((await change({ permissions: [] })).status).toBe(422);
  });

  it('is needed: others are refused', async () => {
    const { till, merchantId } = await setUp();
    const plain = await createKey(service, { merchant_id: merchantId, permissions: ['read', 'store:write'] });
    const answers = await Promise.all([
      send(plain.key, 'GET', ''),
      send(plain.key, 'POST', '', { permissions: ['read'] }),
      send(plain.key, 'POST', `/${till}/sign_in_link`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('a sign-in link', () => {
  const signIn = (code: string) =>
    ask<Json>(`${service.url}/console/api/session`, {
      method: 'POST',
      body: { code },
      headers: { origin: service.url },
    });

  it('opens the console once, with what its key may do, and ends with the key', async () => {
    const { owner } = await setUp();
    const { body: tablet } = await send(owner, 'POST', '', {
      permissions: ['read'],
      label: 'Kitchen tablet',
    });
    const link = await send(owner, 'POST', `/${String(tablet['id'])}/sign_in_link`);
    expect(link.status).toBe(201);
    const inHours = (Date.parse(String(link.body['expires_at'])) - Date.now()) / 3_600_000;
    expect(Math.round(inHours)).toBe(24);
    const [address, code = ''] = String(link.body['url']).split('#code=');
    expect(address).toBe(`${service.url}/console`);
    const first = await signIn(code);
    expect([first.status, first.body]).toMatchObject([
      201,
      { key: { id: tablet['id'], permissions: ['read'], label: 'Kitchen tablet' } },
    ]);
    expect((await signIn(code)).status).toBe(401);

    const { body: second } = await send(owner, 'POST', `/${String(tablet['id'])}/sign_in_link`);
    expect((await send(owner, 'DELETE', `/${String(tablet['id'])}`)).status).toBe(204);
    expect((await signIn(String(second['url']).split('#code=')[1] ?? '')).status).toBe(401);
    expect((await send(owner, 'POST', `/${String(tablet['id'])}/sign_in_link`)).status).toBe(409);
  });

  it('of the operator key that was given from outside is made with that key', async () => {
    const { body } = await send(service.operatorKey, 'POST', '/current/sign_in_link');
    const signedIn = await signIn(String(body['url']).split('#code=')[1] ?? '');
    expect(signedIn.body).toMatchObject({ key: { id: 'operator', kind: 'operator' } });
  });
});

describe('a key with store:write', () => {
  it('changes its own stores, never whose they are, and creates and deletes none', async () => {
    const { owner, merchantId, storeId } = await setUp();
    const foreign = await createTenant(service);
    const at = (path: string) => `${service.url}/manage/v1/stores${path}`;
    const patch = (id: string, body: object, key = owner) =>
      ask<Json>(at(`/${id}`), { method: 'PATCH', key, body });
    const changed = await patch(storeId, { city: 'Lugo', merchant_id: foreign.merchantId });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { city: 'Lugo', merchant: { id: merchantId } },
    ]);
    expect((await patch(foreign.storeId, { city: 'Lugo' })).status).toBe(404);
    expect((await patch(storeId, { city: 'Vigo' }, foreign.key)).status).toBe(404);
    const reader = await createKey(service, { merchant_id: merchantId, permissions: ['read'] });
    expect((await patch(storeId, { city: 'Vigo' }, reader.key)).status).toBe(403);
    const name = { translations: { en: 'New' } };
    const created = await ask(at(''), {
      method: 'POST',
      key: owner,
      body: { merchant_id: merchantId, name },
    });
    const deleted = await ask(at(`/${storeId}`), { method: 'DELETE', key: owner });
    expect([created.status, deleted.status]).toEqual([403, 403]);
  });
});
