import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/access/permissions.js';
import { isOnCitus } from '../harness/citus.js';
import { ask } from '../harness/client.js';
import { chain } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

type Json = Record<string, unknown>;
const send = (key: string, method: string, path: string, body?: unknown) =>
  ask<Json>(`${service.url}/manage/v1/keys${path}`, { method, key, body });

/** Only a PATCH needs one. */
const bodyFor = (method: string) => (method === 'PATCH' ? { label: 'mine' } : undefined);

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
      const answer = await send(owner, method, `/${foreign.keyId}${path}`);
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
      expect((await send(owner, method, `/${till}${path}`, bodyFor(method))).status).toBe(403);
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

describe('a key that expires', () => {
  const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  it('hands out none that works longer, neither a new one, nor a replacement, nor a way in', async () => {
    const { merchantId, storeId } = await setUp();
    const permissions = ['read', 'keys:write'];
    const expires_at = later(2);
    const lasting = await createKey(service, { merchant_id: merchantId, permissions });
    const short = await createKey(service, { merchant_id: merchantId, permissions, expires_at });
    const refusal = {
      status: 403,
      body: { detail: `This key expires at ${expires_at} and cannot hand out one that works longer` },
    };
    const issue = (more: object) => send(short.key, 'POST', '', { permissions: ['read'], ...more });
    expect(await issue({ expires_at: later(3) })).toMatchObject(refusal);
    expect(await issue({ expires_at: later(1) })).toMatchObject({
      status: 201,
      body: { issued_by: short.id },
    });
    expect(await issue({})).toMatchObject({ status: 201, body: { expires_at, issued_by: short.id } });
    expect(await send(short.key, 'POST', `/${lasting.id}/rotate`)).toMatchObject(refusal);
    expect(await send(short.key, 'POST', `/${lasting.id}/sign_in_link`)).toMatchObject(refusal);
    expect(await send(short.key, 'POST', `/current/sign_in_link`)).toMatchObject({ status: 201 });
    const till = await createKey(service, {
      merchant_id: merchantId,
      permissions: ['read'],
      store_ids: [storeId],
    });
    expect(await send(short.key, 'PATCH', `/${till.id}`, { permissions })).toMatchObject(refusal);
    expect(await send(short.key, 'PATCH', `/${till.id}`, { store_ids: null })).toMatchObject(refusal);
    const less = { label: 'Till', permissions: ['read'], store_ids: [storeId] };
    expect(await send(short.key, 'PATCH', `/${till.id}`, less)).toMatchObject({ status: 200, body: less });
    expect(await send(short.key, 'PATCH', `/${lasting.id}`, { permissions: ['read'] })).toMatchObject({
      status: 200,
    });
    expect(await send(short.key, 'POST', `/${short.id}/rotate`)).toMatchObject({
      status: 201,
      body: { expires_at, issued_by: short.id, rotated_from: short.id },
    });
  });
});

describe('what a key has made', () => {
  const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();
  const statusOf = async (key: string) => (await ask(`${service.url}/v1/stores/`, { key })).status;

  /** A manager's key that has issued a key which issued another, made a webhook and scheduled a publication. */
  async function setUpMade() {
    const { merchantId, storeId, key: till } = await createTenant(service, PERMISSIONS);
    const permissions = ['read', 'menu:write', 'webhooks:write', 'keys:write'];
    const manager = await createKey(service, { merchant_id: merchantId, permissions });
    const child = await send(manager.key, 'POST', '', {
      permissions: ['read', 'webhooks:write', 'keys:write'],
    });
    const grandchild = await send(String(child.body['key']), 'POST', '', { permissions: ['read'] });
    const request = (key: string, path: string, body: object) =>
      ask<{ id: string }>(`${service.url}/manage/v1${path}`, { method: 'POST', key, body });
    const webhook = (key: string) => request(key, '/webhooks', { url: 'https://till.example/' });
    const { body: own } = await webhook(manager.key);
    const { body: childs } = await webhook(String(child.body['key']));
    const { body: publication } = await request(manager.key, '/menu/publications', {
      menu: { menus: [], categories: [], items: [], modifier_groups: [], modifier_items: [] },
      store_ids: [storeId],
      at: inAWeek(),
    });
    const state = async (path: string) =>
      (await ask<{ status: string }>(`${service.url}/manage/v1${path}`, { key: service.operatorKey })).body
        .status;
    const states = async () => ({
      keys: [await statusOf(String(child.body['key'])), await statusOf(String(grandchild.body['key']))],
      webhooks: [await state(`/webhooks/${own.id}`), await state(`/webhooks/${childs.id}`)],
      publication: await state(`/menu/publications/${publication.id}`),
      till: await statusOf(till),
    });
    const made = {
      keys: [child.body['id'], grandchild.body['id']],
      webhooks: [own.id, childs.id],
      publication: publication.id,
    };
    return { manager, states, merchantId, made };
  }

  const allGoesOn = {
    keys: [200, 200],
    webhooks: ['active', 'active'],
    publication: 'scheduled',
    till: 200,
  };

  it('is counted, and goes on when the key alone is revoked, which the answer says', async () => {
    const { manager, states } = await setUpMade();
    const made = { keys: 2, webhooks: 1, publications: 1 };
    const shown = await send(service.operatorKey, 'GET', `/${manager.id}`);
    expect(shown).toMatchObject({ status: 200, body: { id: manager.id, made } });
    expect(await send(manager.key, 'GET', '/current')).toMatchObject({ status: 200, body: shown.body });
    expect(await send(service.operatorKey, 'DELETE', `/${manager.id}`)).toMatchObject({
      status: 200,
      body: { id: manager.id, goes_on: made },
    });
    expect(await states()).toEqual(allGoesOn);
  });

  it.each([
    ['keys', { keys: [401, 401] }, { keys: 0, webhooks: 2, publications: 1 }],
    [
      'keys,webhooks',
      { keys: [401, 401], webhooks: ['disabled', 'disabled'] },
      { keys: 0, webhooks: 0, publications: 1 },
    ],
    ['webhooks', { webhooks: ['disabled', 'active'] }, { keys: 2, webhooks: 0, publications: 1 }],
    ['publications', { publication: 'cancelled' }, { keys: 2, webhooks: 1, publications: 0 }],
  ])('ends with it as far as `also` says: %s', async (also, ended, goes_on) => {
    const { manager, states } = await setUpMade();
    const answer = await send(service.operatorKey, 'DELETE', `/${manager.id}?also=${also}`);
    expect(answer).toMatchObject({ status: 200, body: { id: manager.id, goes_on } });
    expect(await states()).toEqual({ ...allGoesOn, ...ended });
  });

  it('can still end when the keys that made it have ended before', async () => {
    const { manager, states } = await setUpMade();
    const end = (also: string) => send(service.operatorKey, 'DELETE', `/${manager.id}?also=${also}`);
    expect(await end('keys')).toMatchObject({ status: 200, body: { goes_on: { webhooks: 2 } } });
    expect((await end('keys,webhooks,publications')).status).toBe(204);
    expect(await states()).toMatchObject({ webhooks: ['disabled', 'disabled'], publication: 'cancelled' });
  });

  it('ends as a whole, with what the issued keys have made, and nothing else', async () => {
    const { manager, states, merchantId, made } = await setUpMade();
    const neighbour = await setUpMade();
    const answer = await send(
      service.operatorKey,
      'DELETE',
      `/${manager.id}?also=keys,webhooks,publications`,
    );
    expect(answer.status).toBe(204);
    expect(await states()).toEqual({
      keys: [401, 401],
      webhooks: ['disabled', 'disabled'],
      publication: 'cancelled',
      till: 200,
    });
    expect(await neighbour.states()).toEqual(allGoesOn);

    const audit = `${service.url}/manage/v1/audit?merchant_id=${merchantId}&limit=6`;
    const { body } = await ask<{ entries: Json[] }>(audit, { key: service.operatorKey });
    const request_id = answer.headers.get('x-request-id');
    const entry = (type: string, subject: unknown) =>
      expect.objectContaining({ type, subject, request_id }) as unknown;
    expect(body.entries).toHaveLength(6);
    expect(body.entries).toEqual(
      expect.arrayContaining([
        ...[manager.id, ...made.keys].map((id) => entry('key.revoked', id)),
        ...made.webhooks.map((id) => entry('webhook.changed', id)),
        entry('publication.cancelled', made.publication),
      ]),
    );
  });

  // On Citus the copied tables are locked whole, and of many changes at once some are to be sent again.
  const busy = isOnCitus ? [503] : [];
  const revoke = async (path: string) => {
    let status;
    do ({ status } = await send(service.operatorKey, 'DELETE', path));
    while (busy.includes(status));
    expect([200, 204]).toContain(status);
  };

  it('ends with it also where it is issued at the same moment', async () => {
    const { merchantId: merchant_id } = await setUpMade();
    for (let round = 0; round < 5; round += 1) {
      const manager = await createKey(service, { merchant_id, permissions: ['read', 'keys:write'] });
      const issuing = Array.from({ length: 8 }, () =>
        send(manager.key, 'POST', '', { permissions: ['read'] }),
      );
      await revoke(`/${manager.id}?also=keys`);
      const answers = await Promise.all(issuing);
      const secrets = answers.flatMap(({ body }) => (typeof body['key'] === 'string' ? [body['key']] : []));
      expect(await Promise.all(secrets.map(statusOf))).toEqual(secrets.map(() => 401));
      for (const { status } of answers) expect([201, 401, ...busy]).toContain(status);
    }
  });

  it.each([
    ['webhooks', () => ({ url: 'https://till.example/' }), 'disabled'],
    ['menu/publications', (id: string) => ({ menu: chain(), store_ids: [id], at: inAWeek() }), 'cancelled'],
  ])('ends with it also where it is made at the same moment: %s', async (path, body, status) => {
    const { merchantId: merchant_id, storeId } = await createTenant(service, PERMISSIONS);
    for (let round = 0; round < 5; round += 1) {
      const permissions = ['read', 'menu:write', 'webhooks:write'];
      const { id, key } = await createKey(service, { merchant_id, permissions });
      const url = `${service.url}/manage/v1/${path}`;
      const making = Array.from({ length: 8 }, () =>
        ask<{ id: string }>(url, { method: 'POST', key, body: body(storeId) }),
      );
      await revoke(`/${id}?also=webhooks,publications`);
      for (const made of await Promise.all(making)) {
        expect([201, 202, 401, ...busy]).toContain(made.status);
        if (made.status === 401 || busy.includes(made.status)) continue;
        const shown = await ask(`${url}/${made.body.id}`, { key: service.operatorKey });
        expect(shown.body).toMatchObject({ status });
      }
    }
  });

  it('counts for the key that has replaced another', async () => {
    const { manager } = await setUpMade();
    const rotated = await send(service.operatorKey, 'POST', `/${manager.id}/rotate`, { overlap_seconds: 0 });
    const shown = await send(service.operatorKey, 'GET', `/${String(rotated.body['id'])}`);
    expect(shown.body).toMatchObject({ made: { keys: 2, webhooks: 1, publications: 1 } });
  });

  it('is not shown of a key of another merchant, nor ended by one that reaches less far', async () => {
    const { manager, states } = await setUpMade();
    const { owner } = await setUp();
    expect(await send(owner, 'GET', `/${manager.id}`)).toMatchObject({
      status: 404,
      body: { detail: 'Key not found' },
    });
    expect((await send(owner, 'DELETE', `/${manager.id}?also=keys`)).status).toBe(404);
    expect(await states()).toEqual(allGoesOn);
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
    expect(await patch(storeId, { merchant_id: foreign.merchantId })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'merchant_id'], type: 'extra_forbidden' }] },
    });
    const changed = await patch(storeId, { city: 'Lugo' });
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
