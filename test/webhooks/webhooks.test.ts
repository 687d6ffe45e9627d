import { describe, expect, it } from 'vitest';
import { findKeyAndSuccessors } from '../../src/tenants/keys.sql.js';
import { disableEndpoint } from '../../src/webhooks/endpoints.sql.js';
import { newUuidV7 } from '../../src/support/uuid.js';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';

const service = await useService();

const URL_OF_TILL = 'https://till.example/hooks';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
const clientOf = ({ key }: Pick<Tenant, 'key'>) => webhookClient(service, key);

describe('a webhook', () => {
  it('is made with its secret, shown this once, and found again without it', async () => {
    const tenant = await createTenant(service);
    const client = clientOf(tenant);
    const made = await client.create({ url: URL_OF_TILL });
    const webhook = {
      id: expect.any(String) as string,
      merchant_id: tenant.merchantId,
      url: URL_OF_TILL,
      include_order: false,
      skip_own: false,
      status: 'active',
      created_at: TIME,
    };
    expect([made.status, made.body]).toEqual([
      201,
      { ...webhook, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string },
    ]);
    const details = { lag: [{ store_id: tenant.storeId, behind: 0 }], parked: [], secret_readable: true };
    const { id } = made.body;
    expect((await client.get(id)).body).toEqual({ ...webhook, id, ...details });
    expect((await client.send('GET', '')).body).toEqual([{ ...webhook, id }]);
  });

  it('has all that it was given', async () => {
    const tenant = await createTenant(service);
    const given = {
      url: URL_OF_TILL,
      store_ids: [tenant.storeId],
      types: ['order.created', 'order.status_changed'],
      label: 'Till 1',
      include_order: true,
      skip_own: true,
    };
    const made = await clientOf(tenant).create({ ...given, merchant_id: tenant.merchantId });
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...given,
        id: expect.any(String) as string,
        merchant_id: tenant.merchantId,
        status: 'active',
        created_at: TIME,
        secret: expect.any(String) as string,
      },
    ]);
  });

  it('is made once under an Idempotency-Key, and its secret is not shown again', async () => {
    const client = clientOf(await createTenant(service));
    const headers = { 'idempotency-key': 'once' };
    const first = await client.send('POST', '', { url: URL_OF_TILL }, headers);
    const second = await client.send('POST', '', { url: URL_OF_TILL }, headers);
    const { secret, ...rest } = first.body;
    expect([second.status, second.body]).toEqual([201, rest]);
    expect(secret).toMatch(/^whsec_/);
  });

  it('keeps its secret sealed', async () => {
    const { secret } = await createWebhook(clientOf(await createTenant(service)), { url: URL_OF_TILL });
    const rows = await service.db.query({
      name: 'test_webhooks',
      text: 'SELECT webhooks::text AS all FROM webhooks',
    });
    const text = JSON.stringify(rows);
    expect(text).not.toContain(secret.slice(6));
    expect(text).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it.each<[object, unknown[], string]>([
    [{ url: undefined }, ['url'], 'missing'],
    [{ url: '' }, ['url'], 'string_too_short'],
    [{ url: 'till.example' }, ['url'], 'value_error'],
    [{ url: 'ftp://till.example/' }, ['url'], 'value_error'],
    [{ url: 'https://user:pass@till.example/' }, ['url'], 'value_error'],
    [{ url: 'http://10.0.0.1/' }, ['url'], 'value_error'],
    [{ url: 'http://169.254.169.254/' }, ['url'], 'value_error'],
    [{ url: 'http://2852039166/' }, ['url'], 'value_error'],
    [{ url: 'http://[::1]/' }, ['url'], 'value_error'],
    [{ types: ['order.eaten'] }, ['types', 0], 'enum'],
    [{ types: ['webhook.test'] }, ['types', 0], 'enum'],
    [{ types: [] }, ['types'], 'too_short'],
    [{ store_ids: [] }, ['store_ids'], 'too_short'],
    [{ store_ids: ['x'] }, ['store_ids', 0], 'unresolved_reference'],
    [{ label: '' }, ['label'], 'string_too_short'],
    [{ include_order: 'yes' }, ['include_order'], 'bool_type'],
    [{ from: 'tomorrow' }, ['from'], 'enum'],
    [{ merchant_id: 'x' }, ['merchant_id'], 'unresolved_reference'],
  ])('is refused with %j', async (change, loc, type) => {
    const made = await clientOf(await createTenant(service)).create({ url: URL_OF_TILL, ...change });
    expect([made.status, made.body]).toMatchObject([422, { detail: [{ loc: ['body', ...loc], type }] }]);
  });

  it('is refused for all that is wrong with it at once', async () => {
    const tenant = await createTenant(service);
    const own = clientOf(tenant);
    const locs = ({ body }: { body: unknown }) =>
      (body as { detail: { loc: unknown[]; type: string }[] }).detail.map(({ loc, type }) => [...loc, type]);
    const wrong = { url: 'http://10.0.0.1/', store_ids: ['x', tenant.storeId, 'y'] };
    const stores = [
      ['body', 'url', 'value_error'],
      ['body', 'store_ids', 0, 'unresolved_reference'],
      ['body', 'store_ids', 2, 'unresolved_reference'],
    ];
    expect(locs(await own.create(wrong))).toEqual(stores);
    const { id } = await createWebhook(own, { url: URL_OF_TILL });
    expect(locs(await own.send('PATCH', `/${id}`, wrong))).toEqual(stores);
    const ofOperator = await webhookClient(service, service.operatorKey).create(wrong);
    expect(locs(ofOperator)).toEqual([
      ['body', 'url', 'value_error'],
      ['body', 'merchant_id', 'missing'],
    ]);
    const elsewhere = await own.create({ ...wrong, merchant_id: 'x' });
    expect(locs(elsewhere)).toEqual([
      ['body', 'url', 'value_error'],
      ['body', 'merchant_id', 'unresolved_reference'],
    ]);
  });

  it('that may not be sent to says who can allow it', async () => {
    const made = await clientOf(await createTenant(service)).create({ url: 'http://192.168.1.20:9000/' });
    expect(made.body).toEqual({
      detail: [
        {
          loc: ['body', 'url'],
          msg: 'Value error, 192.168.1.20 is a private address; the operator can allow it with COMANDA_WEBHOOK_ALLOW',
          type: 'value_error',
          input: 'http://192.168.1.20:9000/',
          ctx: {
            error: '192.168.1.20 is a private address; the operator can allow it with COMANDA_WEBHOOK_ALLOW',
          },
        },
      ],
    });
  });

  it('is changed field by field; null clears', async () => {
    const tenant = await createTenant(service);
    const client = clientOf(tenant);
    const given = {
      url: URL_OF_TILL,
      store_ids: [tenant.storeId],
      types: ['order.created'],
      label: 'A',
      skip_own: true,
    };
    const { secret: _, ...made } = await createWebhook(client, given);
    const change = (body: object) => client.send('PATCH', `/${made.id}`, body);
    expect((await change({})).body).toEqual(made);
    const labelled = await change({ label: 'B', include_order: true, url: 'https://other.example/' });
    const now = { ...made, label: 'B', include_order: true, url: 'https://other.example/' };
    expect([labelled.status, labelled.body]).toEqual([200, now]);
    const cleared = await change({ label: null, types: null, store_ids: null, skip_own: null });
    const { label: _label, types: _types, store_ids: _stores, ...rest } = now as Record<string, unknown>;
    expect(cleared.body).toEqual({ ...rest, skip_own: false });
    expect((await change({ url: null })).body).toMatchObject({
      detail: [{ loc: ['body', 'url'], type: 'string_type' }],
    });
    expect((await change({ url: 'http://10.0.0.1/' })).status).toBe(422);
    expect((await change({ status: 'gone' })).body).toMatchObject({
      detail: [{ loc: ['body', 'status'], type: 'enum' }],
    });
  });

  it('is disabled and made active by a change of its status', async () => {
    const client = clientOf(await createTenant(service));
    const { id } = await createWebhook(client, { url: URL_OF_TILL });
    const disabled = await client.send('PATCH', `/${id}`, { status: 'disabled' });
    expect(disabled.body).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    expect((await client.get(id)).body).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    const active = await client.send('PATCH', `/${id}`, { status: 'active' });
    expect(active.body).toMatchObject({ status: 'active' });
    expect(active.body).not.toHaveProperty('disabled_reason');
  });

  it('is gone once it is removed', async () => {
    const client = clientOf(await createTenant(service));
    const { id } = await createWebhook(client, { url: URL_OF_TILL });
    expect((await client.send('DELETE', `/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await client.send(method, `/${id}${path}`);
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        404,
        { detail: 'Webhook not found' },
      ]);
    }
    expect((await client.send('GET', '')).body).toEqual([]);
  });

  it('is one of at most fifty of a merchant', async () => {
    const client = clientOf(await createTenant(service));
    const statuses = new Set<number>();
    for (let i = 0; i < 50; i += 1) statuses.add((await client.create({ url: URL_OF_TILL })).status);
    expect([...statuses]).toEqual([201]);
    const more = await client.create({ url: URL_OF_TILL });
    expect([more.status, more.body]).toEqual([409, { detail: 'A merchant may have at most 50 webhooks' }]);
    expect((await client.send<unknown[]>('GET', '?skip=10&limit=7')).body).toHaveLength(7);
  });
});

describe('a key', () => {
  it('needs the permission webhooks:write', async () => {
    const tenant = await createTenant(service, ['read', 'menu:write', 'stock:write', 'orders:write']);
    const { id } = await createWebhook(webhookClient(service, service.operatorKey), {
      url: URL_OF_TILL,
      merchant_id: tenant.merchantId,
    });
    const client = clientOf(tenant);
    for (const [method, path, body] of [
      ['POST', '', { url: URL_OF_TILL }],
      ['GET', '', undefined],
      ['GET', `/${id}`, undefined],
      ['PATCH', `/${id}`, {}],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/rotate`, undefined],
      ['POST', `/${id}/test`, undefined],
      ['GET', `/${id}/deliveries`, undefined],
      ['POST', `/${id}/replay`, { store_id: tenant.storeId }],
      ['POST', `/${id}/parked/evt_1/send`, undefined],
    ] as const) {
      const answer = await client.send(method, path, body);
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        403,
        { detail: 'This key lacks the permission webhooks:write' },
      ]);
    }
  });

  it('finds no webhook of another merchant, exactly as if there were none', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const { id } = await createWebhook(clientOf(other), { url: URL_OF_TILL });
    const unknown = '01980c6e-5c00-7000-8000-00000000ffff';
    const client = clientOf(mine);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { status: 'disabled' }],
      ['DELETE', '', undefined],
      ['POST', '/rotate', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
      ['POST', '/replay', { store_id: other.storeId }],
      ['POST', `/parked/evt_${unknown}/send`, undefined],
    ] as const) {
      const theirs = await client.send(method, `/${id}${path}`, body);
      const none = await client.send(method, `/${unknown}${path}`, body);
      expect([method, path, theirs.status, theirs.body]).toEqual([
        method,
        path,
        404,
        { detail: 'Webhook not found' },
      ]);
      expect([none.status, none.body]).toEqual([theirs.status, theirs.body]);
    }
    expect((await client.send('GET', '')).body).toEqual([]);
    expect((await client.send('GET', `?merchant_id=${other.merchantId}`)).body).toEqual([]);
    expect((await clientOf(other).get(id)).body.status).toBe('active');
  });

  it('makes no webhook for another merchant or its stores', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const ofMerchant = await clientOf(mine).create({ url: URL_OF_TILL, merchant_id: other.merchantId });
    expect([ofMerchant.status, ofMerchant.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'merchant_id'], msg: 'No merchant has this id' }] },
    ]);
    const ofStore = await clientOf(mine).create({
      url: URL_OF_TILL,
      store_ids: [mine.storeId, other.storeId],
    });
    expect([ofStore.status, ofStore.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'store_ids', 1] }] },
    ]);
    const { id } = await createWebhook(clientOf(mine), { url: URL_OF_TILL });
    const changed = await clientOf(mine).send('PATCH', `/${id}`, { store_ids: [other.storeId] });
    expect(changed.status).toBe(422);
    const replayed = await clientOf(mine).send('POST', `/${id}/replay`, { store_id: other.storeId });
    expect([replayed.status, replayed.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'store_id'], type: 'unresolved_reference' }] },
    ]);
  });

  it('of some stores has webhooks of these alone', async () => {
    const tenant = await createTenant(service);
    const second = await createStore(service, tenant.merchantId);
    const { key } = await createKey(service, {
      merchant_id: tenant.merchantId,
      store_ids: [tenant.storeId],
      permissions: ['webhooks:write'],
    });
    const [all, some] = [clientOf(tenant), webhookClient(service, key)];
    const wide = await createWebhook(all, { url: URL_OF_TILL });
    const both = await createWebhook(all, { url: URL_OF_TILL, store_ids: [tenant.storeId, second] });
    const shared = await createWebhook(all, { url: URL_OF_TILL, store_ids: [tenant.storeId] });
    const own = await createWebhook(some, { url: URL_OF_TILL });
    expect(own['store_ids']).toEqual([tenant.storeId]);
    expect((await some.create({ url: URL_OF_TILL, store_ids: [second] })).status).toBe(422);
    const cleared = await some.send('PATCH', `/${own.id}`, { store_ids: null });
    expect(cleared.body['store_ids']).toEqual([tenant.storeId]);
    const seen = await Promise.all(
      [wide, both, shared, own].map(async ({ id }) => (await some.get(id)).status),
    );
    expect(seen).toEqual([404, 404, 200, 200]);
    const listed = (await some.send<{ id: string }[]>('GET', '')).body.map(({ id }) => id);
    expect(listed).toEqual([shared.id, own.id]);
    expect((await all.send<unknown[]>('GET', '')).body).toHaveLength(4);
  });

  it('of an operator names the merchant, and sees the webhooks of all', async () => {
    const tenant = await createTenant(service);
    const client = webhookClient(service, service.operatorKey);
    const unnamed = await client.create({ url: URL_OF_TILL });
    expect([unnamed.status, unnamed.body]).toEqual([
      422,
      { detail: [{ loc: ['body', 'merchant_id'], msg: 'Field required', type: 'missing' }] },
    ]);
    const { id } = await createWebhook(client, { url: URL_OF_TILL, merchant_id: tenant.merchantId });
    expect((await clientOf(tenant).get(id)).status).toBe(200);
    const ofMerchant = await client.send<{ id: string }[]>('GET', `?merchant_id=${tenant.merchantId}`);
    expect(ofMerchant.body.map((one) => one.id)).toEqual([id]);
    expect((await client.send<unknown[]>('GET', '?limit=1000')).body.length).toBeGreaterThan(1);
    expect((await client.send('GET', '?merchant_id=nonsense')).body).toEqual([]);
  });
});

describe('the place of a webhook', () => {
  const lagOf = async (tenant: Tenant, id: string) => (await clientOf(tenant).get(id)).body.lag;
  const rename = (storeId: string) =>
    ask(`${service.url}/manage/v1/stores/${storeId}`, {
      method: 'PATCH',
      key: service.operatorKey,
      body: { city: `Vienna ${Math.random()}` },
    });

  it('is after all that has happened, or before it where it is to begin at the start', async () => {
    const tenant = await createTenant(service);
    await rename(tenant.storeId);
    await rename(tenant.storeId);
    const fromNow = await createWebhook(clientOf(tenant), { url: URL_OF_TILL });
    const fromStart = await createWebhook(clientOf(tenant), { url: URL_OF_TILL, from: 'start' });
    expect(await lagOf(tenant, fromNow.id)).toEqual([{ store_id: tenant.storeId, behind: 0 }]);
    expect(await lagOf(tenant, fromStart.id)).toEqual([
      { store_id: tenant.storeId, behind: 2, oldest_at: TIME },
    ]);
    await rename(tenant.storeId);
    expect(await lagOf(tenant, fromNow.id)).toMatchObject([{ behind: 1 }]);
  });

  it('is there from the first event of a store that comes later, where it is of all stores', async () => {
    const tenant = await createTenant(service);
    const all = await createWebhook(clientOf(tenant), { url: URL_OF_TILL });
    const named = await createWebhook(clientOf(tenant), { url: URL_OF_TILL, store_ids: [tenant.storeId] });
    const later = await createStore(service, tenant.merchantId);
    await rename(later);
    expect(await lagOf(tenant, all.id)).toEqual([
      { store_id: later, behind: 1, oldest_at: TIME },
      { store_id: tenant.storeId, behind: 0 },
    ]);
    expect(await lagOf(tenant, named.id)).toEqual([{ store_id: tenant.storeId, behind: 0 }]);
  });

  it('is there, too, when the later store is named or moved to before anything has looked for it', async () => {
    const tenant = await createTenant(service);
    const client = clientOf(tenant);
    const [changed, moved] = [
      await createWebhook(client, { url: URL_OF_TILL }),
      await createWebhook(client, { url: URL_OF_TILL }),
    ];
    const later = await createStore(service, tenant.merchantId);
    await rename(later);
    await client.send('PATCH', `/${changed.id}`, { store_ids: [later] });
    expect(await lagOf(tenant, changed.id)).toEqual([{ store_id: later, behind: 1, oldest_at: TIME }]);
    const replayed = await client.send('POST', `/${moved.id}/replay`, { store_id: later, after: 'now' });
    expect([replayed.status, replayed.body]).toEqual([200, { store_id: later, behind: 0 }]);
  });

  it('is there for every store when stores and webhooks are made at the same moment', async () => {
    const tenant = await createTenant(service);
    const client = clientOf(tenant);
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0 ? createStore(service, tenant.merchantId) : createWebhook(client, { url: URL_OF_TILL }),
      ),
    );
    const webhooks = made.filter((one) => typeof one === 'object');
    const counts = await Promise.all(webhooks.map(async ({ id }) => (await lagOf(tenant, id)).length));
    expect(counts).toEqual([6, 6, 6, 6, 6]);
  });

  it('follows a change of its stores: what comes in begins now', async () => {
    const tenant = await createTenant(service);
    const second = await createStore(service, tenant.merchantId);
    for (const store of [tenant.storeId, second]) await rename(store);
    const { id } = await createWebhook(clientOf(tenant), {
      url: URL_OF_TILL,
      store_ids: [tenant.storeId],
      from: 'start',
    });
    const stores = async (store_ids: string[] | null) => {
      await clientOf(tenant).send('PATCH', `/${id}`, { store_ids });
      return lagOf(tenant, id);
    };
    expect(await stores(null)).toMatchObject([
      { store_id: tenant.storeId, behind: 1 },
      { store_id: second, behind: 0 },
    ]);
    expect(await stores([second])).toEqual([{ store_id: second, behind: 0 }]);
  });

  it('goes with its store, and the webhook with its merchant', async () => {
    const tenant = await createTenant(service);
    const second = await createStore(service, tenant.merchantId);
    const { id } = await createWebhook(clientOf(tenant), { url: URL_OF_TILL });
    const remove = (path: string) =>
      ask(`${service.url}/manage/v1${path}`, { method: 'DELETE', key: service.operatorKey });
    expect((await remove(`/stores/${second}`)).status).toBe(204);
    expect(await lagOf(tenant, id)).toEqual([{ store_id: tenant.storeId, behind: 0 }]);
    expect((await remove(`/merchants/${tenant.merchantId}`)).status).toBe(204);
    const operator = webhookClient(service, service.operatorKey);
    expect((await operator.get(id)).status).toBe(404);
    const again = await operator.create({ url: URL_OF_TILL, merchant_id: tenant.merchantId });
    expect([again.status, again.body]).toMatchObject([422, { detail: [{ loc: ['body', 'merchant_id'] }] }]);
  });

  it('is moved by a replay to a moment', async () => {
    const tenant = await createTenant(service);
    const { id } = await createWebhook(clientOf(tenant), { url: URL_OF_TILL });
    for (let i = 0; i < 7; i += 1) await rename(tenant.storeId);
    // One event in each hour of a morning, from eight on.
    const storeKey = await storeKeyOf(service, tenant);
    for (let sequence = 1; sequence <= 7; sequence += 1)
      await service.db.query({
        name: 'test_event_at',
        text: 'UPDATE events SET at = $3 WHERE events.store_key = $1 AND events.sequence = $2',
        values: [storeKey, sequence, `2026-11-15T${String(7 + sequence).padStart(2, '0')}:00:00Z`],
      });
    for (const [after, behind] of [
      ['2026-11-15T07:00:00Z', 7],
      ['2026-11-15T08:00:00Z', 7],
      ['2026-11-15T08:30:00Z', 6],
      ['2026-11-15T13:00:00+02:00', 4],
      ['2026-11-15T14:00:05Z', 1],
      ['2026-11-15 14:01', 0],
      ['2026-11-16', 0],
    ] as const) {
      const { body } = await clientOf(tenant).send('POST', `/${id}/replay`, {
        store_id: tenant.storeId,
        after,
      });
      expect([after, body]).toMatchObject([after, { store_id: tenant.storeId, behind }]);
    }
  });

  it('is moved by a replay: to the start, after an event, to the end', async () => {
    const tenant = await createTenant(service);
    const { id } = await createWebhook(clientOf(tenant), { url: URL_OF_TILL });
    for (let i = 0; i < 3; i += 1) await rename(tenant.storeId);
    const replay = (body: object) =>
      clientOf(tenant).send('POST', `/${id}/replay`, { store_id: tenant.storeId, ...body });
    expect((await replay({})).body).toEqual({ store_id: tenant.storeId, behind: 3, oldest_at: TIME });
    const moved = await replay({ after: 'now' });
    expect([moved.status, moved.body]).toEqual([200, { store_id: tenant.storeId, behind: 0 }]);
    const other = await createTenant(service);
    for (const after of ['', 'nonsense', 'AQ', '!', 'now ', other.storeId]) {
      const refused = await replay({ after });
      expect([after, refused.status, refused.body]).toMatchObject([
        after,
        422,
        { detail: [{ loc: ['body', 'after'], type: 'value_error' }] },
      ]);
    }
    for (const store_id of [other.storeId, 'x', '']) expect((await replay({ store_id })).status).toBe(422);
  });
});

it('shows nothing of a store that it is no longer told of, nor sends what was parked there', async () => {
  const tenant = await createTenant(service);
  const other = await createStore(service, tenant.merchantId);
  const client = clientOf(tenant);
  const { id } = (await client.create({ url: URL_OF_TILL, store_ids: [tenant.storeId, other] })).body;
  const storeKey = await storeKeyOf(service, { ...tenant, storeId: other });
  const eventId = newUuidV7();
  await service.db.withClient(async (db) => {
    await db.query(
      `INSERT INTO webhook_parked (webhook_id, store_key, sequence, event_id, type, parked_at, status)
       VALUES ($1, $2, 1, $3, 'order.created', now(), 422)`,
      [id, storeKey, eventId],
    );
    await db.query(
      `INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, store_key, sequence, attempt, at, status, latency_ms)
       VALUES ($1, $3, $3, 'order.created', $2, 1, 1, now(), 422, 5)`,
      [id, storeKey, eventId],
    );
  });
  expect((await client.get(id)).body.parked).toHaveLength(1);
  expect(await client.deliveries(id)).toHaveLength(1);
  const limited = await createKey(service, {
    merchant_id: tenant.merchantId,
    store_ids: [tenant.storeId],
    permissions: ['read', 'webhooks:write'],
  });
  expect((await clientOf(limited).get(id)).status).toBe(404);
  await client.send('PATCH', `/${id}`, { store_ids: [tenant.storeId] });
  expect((await clientOf(limited).get(id)).body).toMatchObject({ parked: [] });
  expect(await clientOf(limited).deliveries(id)).toEqual([]);
  const sent = await clientOf(limited).send('POST', `/${id}/parked/evt_${eventId}/send`);
  expect(sent.status).toBe(404);
});

it('is not disabled for an address that it no longer has', async () => {
  const tenant = await createTenant(service);
  const { id } = (await clientOf(tenant).create({ url: URL_OF_TILL })).body;
  expect(await disableEndpoint(service.db, { id, url: 'https://old.example/' }, 'gone')).toBe(false);
  expect(await disableEndpoint(service.db, { id, url: URL_OF_TILL }, 'gone')).toBe(true);
});

it('knows the operator key that made it also after its rotation', async () => {
  const { merchantId } = await createTenant(service);
  const [first, second] = [newUuidV7(), newUuidV7()];
  await service.db.withClient((db) =>
    db.query(
      `INSERT INTO api_keys (id, secret_hash, last_four, permissions, created_at, rotated_from)
       SELECT k.id, sha256(k.id::text::bytea), 'aaaa', '{}', now(), k.rotated_from
       FROM (VALUES ($1::uuid, NULL::uuid), ($2::uuid, $1::uuid)) AS k (id, rotated_from)`,
      [first, second],
    ),
  );
  expect(await findKeyAndSuccessors(service.db, first, merchantId)).toEqual(new Set([first, second]));
});

describe('a webhook whose key is revoked', () => {
  /** A tenant with a webhook of its key, one of the key that replaces it, and one of another key. */
  async function madeWithKeys() {
    const tenant = await createTenant(service);
    const first = await createWebhook(clientOf(tenant), { url: URL_OF_TILL });
    const rotated = await ask<{ id: string; key: string }>(
      `${service.url}/manage/v1/keys/${tenant.keyId}/rotate`,
      { method: 'POST', key: service.operatorKey },
    );
    const second = await createWebhook(clientOf(rotated.body), { url: URL_OF_TILL });
    const others = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['webhooks:write'],
    });
    const third = await createWebhook(clientOf(others), { url: URL_OF_TILL });
    return { tenant, rotated: rotated.body, others, ids: [first.id, second.id, third.id] };
  }
  const revoke = (keyId: string, query = '') =>
    ask(`${service.url}/manage/v1/keys/${keyId}${query}`, { method: 'DELETE', key: service.operatorKey });
  const operator = webhookClient(service, service.operatorKey);
  const statesOf = async (ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => operator.get(id)))).map(({ body }) => [
      body.status,
      body.disabled_reason,
    ]);

  it('goes on, because it belongs to the merchant', async () => {
    const { rotated, ids } = await madeWithKeys();
    const answer = { id: rotated.id, goes_on: { keys: 0, webhooks: 2, publications: 0 } };
    for (const query of ['', '?also=keys,publications'])
      expect(await revoke(rotated.id, query)).toMatchObject({ status: 200, body: answer });
    expect(await statesOf(ids)).toEqual(ids.map(() => ['active', undefined]));
  });

  it('is disabled with it where that is asked for, with those of the keys that it replaced and no others', async () => {
    const { rotated, others, ids } = await madeWithKeys();
    const neighbour = await madeWithKeys();
    expect((await revoke(rotated.id, '?also=webhooks')).status).toBe(204);
    const over = ['disabled', 'requested'];
    const active = ['active', undefined];
    expect(await statesOf(ids)).toEqual([over, over, active]);
    expect(await statesOf(neighbour.ids)).toEqual([active, active, active]);
    // A key that was revoked before takes its webhooks along as well, when told later.
    expect((await revoke(others.id)).status).toBe(200);
    expect((await revoke(others.id, '?also=webhooks')).status).toBe(204);
    expect(await statesOf(ids)).toEqual([over, over, over]);
  });

  it('stays as it is when the key is unknown or the wish is none', async () => {
    expect((await revoke(newUuidV7(), '?also=webhooks')).status).toBe(404);
    expect(await revoke(newUuidV7(), '?also=everything')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'also'], type: 'enum' }] },
    });
  });

  it('is listed by its key, to those who see it alone', async () => {
    const { tenant, rotated, others, ids } = await madeWithKeys();
    const neighbour = await createTenant(service);
    const listed = async (key: string, keyId: string) => {
      const { body } = await webhookClient(service, key).send<{ id: string }[]>('GET', `?key_id=${keyId}`);
      return body.map(({ id }) => id);
    };
    expect(await listed(service.operatorKey, rotated.id)).toEqual(ids.slice(0, 2));
    expect(await listed(service.operatorKey, tenant.keyId)).toEqual(ids.slice(0, 1));
    expect(await listed(rotated.key, others.id)).toEqual(ids.slice(2));
    expect(await listed(neighbour.key, rotated.id)).toEqual([]);
    expect(await listed(service.operatorKey, 'operator')).toEqual([]);
  });
});
