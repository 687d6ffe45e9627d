import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tryLockSession } from '../../src/postgres/advisory-locks.js';
import { takeCellNumbers } from '../../src/postgres/cell-numbers.js';
import { raiseDueAttention } from '../../src/orders/attention/attention.js';
import { liftOverdueRefusals } from '../../src/upkeep/moves.js';
import { call, openSession, signIn } from '../console/browser-session.js';
import { ask, type Answer } from '../harness/client.js';
import { guestClient, openForGuests, type GuestOrderBody } from '../harness/guest.js';
import { png } from '../harness/images.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { startReceiver } from '../harness/receiver.js';
import { useService, type Service } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const source = await useService({}, { delivers: true });
const target = await useService({}, { delivers: true });
await takeCellNumbers(target.db, 7);
const replica = await source.replica();

interface Move {
  readonly state: string;
  readonly until?: string;
  readonly to?: string;
  readonly position: string;
  readonly detail?: unknown;
}

const manage = <T = unknown>(service: Service, method: string, path: string, body?: unknown) =>
  ask<T>(`${service.url}/manage/v1/${path}`, {
    method,
    key: service.operatorKey,
    body,
    headers: typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {},
  });
const setState = (service: Service, merchantId: string, change: object) =>
  manage<Move>(service, 'PATCH', `merchants/${merchantId}/move`, change);
const stateAt = async (service: Service, merchantId: string) =>
  (await manage<Move>(service, 'GET', `merchants/${merchantId}/move`)).body;
const archive = (service: Service, merchantId: string) =>
  manage<string>(service, 'GET', `merchants/${merchantId}/archive`);
/** The use of a key is noted in the background. */
const untilNoted = (merchantId: string) =>
  expect.poll(async () => (await archive(source, merchantId)).body).toContain('"last_used_at":"');
const changes = (merchantId: string, since: string, whole = '') =>
  manage<string>(source, 'GET', `merchants/${merchantId}/move/changes?since=${since}&whole=${whole}`);
const apply = (merchantId: string, text: string) =>
  manage<{ differing: string[]; detail?: unknown }>(
    target,
    'POST',
    `merchants/${merchantId}/move/changes`,
    text,
  );

/** Copies a merchant, which stays in use; returns the position. */
async function copy(merchantId: string): Promise<string> {
  const { position } = await stateAt(source, merchantId);
  const { body } = await archive(source, merchantId);
  const restored = await manage(target, 'POST', `merchants/restore?position=${position}`, body);
  expect(restored.status, JSON.stringify(restored.body)).toBe(200);
  return position;
}

async function refuse(merchantId: string): Promise<string> {
  const { status, body } = await setState(source, merchantId, { state: 'refusing', seconds: 600 });
  expect([status, body.state]).toEqual([200, 'refusing']);
  return body.until ?? '';
}

/** The whole way of `comanda merchants move`. */
async function move(merchantId: string): Promise<void> {
  const since = await copy(merchantId);
  const until = await refuse(merchantId);
  const { body } = await apply(merchantId, (await changes(merchantId, since)).body);
  expect(body).toMatchObject({ differing: [] });
  expect((await setState(source, merchantId, { state: 'moved', to: target.url, until })).status).toBe(200);
  expect((await setState(target, merchantId, { state: 'here' })).status).toBe(200);
}

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const MOVING = 'The merchant is moving to another installation. Try again in a moment.';
const shown = ({ status, body, headers }: Answer) => [status, body, headers.get('retry-after')];
const REFUSED = [503, { detail: MOVING }, '1'];

async function printerAt(service: Service, storeId: string): Promise<string> {
  const { body } = await manage<{ url: string }>(service, 'POST', `stores/${storeId}/printers`, {
    label: 'Kitchen',
    protocol: 'cloudprnt',
  });
  return new URL(body.url).pathname;
}

describe('a merchant that moves', () => {
  it('is told of another move or restore that is under way, and what to do', async () => {
    const { merchantId } = await createTenant(source);
    const { body } = await archive(source, merchantId);
    const answer = await target.db.withClient(async (client) => {
      const letGo = await tryLockSession(client, 'restore');
      const refused = await manage(target, 'POST', 'merchants/restore', body);
      await letGo?.();
      return refused;
    });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        detail:
          'Another move or restore into this installation is under way, perhaps of the same merchant. Wait until it has ended, then try again.',
      },
    ]);
    expect((await manage(target, 'POST', 'merchants/restore', body)).status).toBe(200);
  });

  it('can be read but not changed while it leaves, on every replica and every side, and nobody else waits', async () => {
    const own = await openForGuests(source);
    const guest = guestClient(source);
    const { body: ordered } = await guest.order(own.place.code);
    const printer = await printerAt(source, own.storeId);
    const neighbour = await createTenant(source);
    await refuse(own.merchantId);
    for (const service of [source, replica]) {
      expect(shown(await takeIn(service, own))).toEqual(REFUSED);
      expect(shown(await own.menu.post({}))).toEqual(REFUSED);
      expect(shown(await takeIn(service, { ...own, key: service.operatorKey }))).toEqual(REFUSED);
      expect(shown(await guestClient(service).order(own.place.code))).toEqual(REFUSED);
      expect(shown(await guestClient(service).post(`/orders/${ordered.token}/cancel`))).toEqual(REFUSED);
      expect(shown(await ask(service.url + printer, { method: 'POST', body: {} }))).toEqual(REFUSED);
      const mcp = await ask<string>(`${service.url}/mcp`, {
        method: 'POST',
        key: own.key,
        headers: { accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'set_stock',
            arguments: { store_id: own.storeId, external_id: 'cake', in_stock: false },
          },
        },
      });
      expect(JSON.stringify(mcp.body)).toContain(MOVING);
      // Without a store or a merchant's key in the request, the change itself is refused.
      for (const [method, path, body] of [
        ['POST', 'keys', { merchant_id: own.merchantId, permissions: ['read'] }],
        ['POST', 'stores', { merchant_id: own.merchantId, name: { translations: {} } }],
        ['PATCH', `merchants/${own.merchantId}`, { brand_name: 'Other' }],
        ['POST', 'webhooks', { merchant_id: own.merchantId, url: 'http://127.0.0.1:9/' }],
        ['DELETE', `keys/${own.keyId}`, undefined],
        ['DELETE', `merchants/${own.merchantId}?force=true`, undefined],
      ] as const)
        expect([path, ...shown(await manage(service, method, path, body))]).toEqual([path, ...REFUSED]);
      const line = JSON.stringify({ ...orderRequest(), store_id: own.storeId });
      expect(shown(await importLines(service, service.operatorKey, `${line}\n`))).toEqual(REFUSED);

      expect((await list(service, own)).body.count).toBe(1);
      expect((await guest.get(`/orders/${ordered.token}`)).status).toBe(200);
      expect((await takeIn(service, neighbour)).status).toBe(201);
    }
    await setState(source, own.merchantId, { state: 'here' });
    expect((await takeIn(source, own)).status).toBe(201);
    expect((await guest.order(own.place.code)).status).toBe(201);
  });

  it('does not use up a sign-in link that comes too early, nor end the session before it', async () => {
    const own = await createTenant(source, ['read', 'keys:write']);
    const cookie = await openSession(source, own.key);
    const { body: link } = await manage<{ url: string }>(source, 'POST', `keys/${own.keyId}/sign_in_link`);
    const code = link.url.split('#code=')[1];
    await refuse(own.merchantId);
    expect(shown(await signIn(source, { code }, { cookie, origin: source.url }))).toEqual(REFUSED);
    await setState(source, own.merchantId, { state: 'here' });
    expect((await call(source, cookie, '/v1/stores/')).status).toBe(200);
    expect((await signIn(source, { code }, { cookie, origin: source.url })).status).toBe(201);
    expect((await call(source, cookie, '/v1/stores/')).status).toBe(401);
  });

  it('is in use again when the refusal ends by itself, and a switch is too late then', async () => {
    const own = await createTenant(source);
    const { body } = await setState(source, own.merchantId, { state: 'refusing', seconds: 1 });
    await expect
      .poll(async () => {
        await liftOverdueRefusals(source.db);
        return (await stateAt(source, own.merchantId)).state;
      })
      .toBe('here');
    expect((await takeIn(source, own)).status).toBe(201);
    const late = await setState(source, own.merchantId, {
      state: 'moved',
      to: target.url,
      until: body.until,
    });
    expect(late.status).toBe(409);
    // Nor may one command end the refusal of another.
    await refuse(own.merchantId);
    const other = await setState(source, own.merchantId, {
      state: 'moved',
      to: target.url,
      until: body.until,
    });
    expect(other.status).toBe(409);
  });

  it('is the same in the new place, with its keys, codes and idempotency keys, and 421 in the old one', async () => {
    const own = await openForGuests(source);
    const limited = await createKey(source, {
      merchant_id: own.merchantId,
      permissions: ['read'],
      store_ids: [own.storeId],
    });
    const { body: order } = await takeIn(source, own, {}, { 'idempotency-key': 'one' });
    const { body: ordered } = await guestClient(source).order(own.place.code);
    const printer = await printerAt(source, own.storeId);
    const photo = await ask<{ url: string }>(
      `${source.url}/manage/v1/stores/${own.storeId}/menu/items/coffee/photo`,
      { method: 'PUT', key: source.operatorKey, body: png(8, 6), headers: { 'content-type': 'image/png' } },
    );
    const webhook = await manage<{ id: string }>(source, 'POST', 'webhooks', {
      merchant_id: own.merchantId,
      url: 'http://127.0.0.1:9/',
    });
    const stranger = await createTenant(source);
    const host = await createTenant(target);
    const before = (await archive(target, host.merchantId)).body;

    const since = await copy(own.merchantId);
    const held: Answer[] = [
      await ask(`${target.url}/v1/stores/${own.storeId}`, { key: own.key }),
      await ask(`${target.url}/v1/stores/${own.storeId}`, { key: target.operatorKey }),
      await guestClient(target).get(`/places/${own.place.code}`),
      await takeIn(target, own),
    ];
    expect(held.map(shown)).toEqual(held.map(() => REFUSED));
    // Life goes on in the old place meanwhile, and leaves nothing behind.
    await patch(source, own.key, order.id, { status: 'ACCEPTED' });
    const second = await createStore(source, own.merchantId);
    await own.manage('DELETE', `/places/${own.place.id}`);
    const { body: place } = await own.manage<{ code: string }>('POST', '/places', {
      label: 'Table 8',
      kind: 'table',
    });
    const { body: later } = await takeIn(source, own, { external_id: 'A-2' });
    await untilNoted(own.merchantId);
    const until = await refuse(own.merchantId);
    // Whoever sends webhooks may just now have marked their cursors.
    const isEqual = async () => {
      const { body: text } = await archive(source, own.merchantId);
      const { body: sent } = await changes(own.merchantId, since);
      expect(sent.length).toBeLessThan(text.length * 2);
      for (let times = 0; times < 2; times += 1)
        expect(await apply(own.merchantId, sent)).toMatchObject({ status: 200, body: { differing: [] } });
      return (await archive(target, own.merchantId)).body === text;
    };
    await expect.poll(isEqual).toBe(true);
    await setState(source, own.merchantId, { state: 'moved', to: `${target.url}/`, until });
    const between = await takeIn(target, own);
    expect(shown(between)).toEqual(REFUSED);
    await setState(target, own.merchantId, { state: 'here' });

    const gone: Answer[] = [
      await ask(`${source.url}/v1/stores/${own.storeId}`, { key: own.key }),
      await ask(`${source.url}/v1/stores/`, { key: limited.key }),
      await ask(`${source.url}/v1/orders/${order.id}`, { key: source.operatorKey }),
      await takeIn(source, own),
      await takeIn(replica, own),
      await guestClient(source).get(`/places/${place.code}`),
      await guestClient(replica).get(`/orders/${ordered.token}`),
      await ask(source.url + printer, { method: 'POST', body: {} }),
      await manage(source, 'POST', 'keys', { merchant_id: own.merchantId, permissions: ['read'] }),
      await ask(`${source.url}/mcp`, { method: 'POST', key: own.key, body: LIST_TOOLS }),
      await ask(`${source.url}/guest/mcp/${place.code}`, { method: 'POST', body: LIST_TOOLS }),
      await ask(source.url + photo.body.url),
      await ask(`${source.url}/v1/merchants/${own.merchantId}`, { key: source.operatorKey }),
      await archive(source, own.merchantId),
    ];
    for (const path of [
      ...['keys', 'webhooks', 'menu/publications', 'audit', 'overview'].map(
        (list) => `${list}?merchant_id=${own.merchantId}`,
      ),
      `usage?month=2026-11&merchant_id=${own.merchantId}`,
      `audit?store_id=${own.storeId}`,
      `intake?store_ids=${own.storeId}`,
      `sales?store_ids=${own.storeId}`,
      `keys/${own.keyId}`,
      `webhooks/${webhook.body.id}/deliveries`,
    ])
      gone.push(await manage(source, 'GET', path));
    const detail = { detail: `The merchant has moved to ${target.url}` };
    expect(gone.map(({ status, body, headers }) => [status, body, headers.get('location')])).toEqual(
      gone.map(() => [421, detail, target.url]),
    );
    const listed = await manage(source, 'GET', 'overview?limit=1000');
    expect(JSON.stringify(listed.body)).not.toContain(own.storeId);
    // For anyone else it is as if it did not exist.
    const unseen = await ask(`${source.url}/v1/stores/${own.storeId}`, { key: stranger.key });
    expect([unseen.status, unseen.body]).toEqual([404, { detail: 'Store not found' }]);

    expect((await ask(`${target.url}/v1/stores/${second}`, { key: own.key })).status).toBe(200);
    expect((await ask(`${target.url}/v1/stores/`, { key: limited.key })).status).toBe(200);
    expect((await list(target, own)).body.count).toBe(3);
    expect((await takeIn(target, own, {}, { 'idempotency-key': 'one' })).body.id).toBe(order.id);
    expect((await takeIn(target, own, { external_id: 'A-2' })).body.id).toBe(later.id);
    expect((await guestClient(target).get(`/places/${own.place.code}`)).status).toBe(404);
    expect((await guestClient(target).get(`/places/${place.code}`)).status).toBe(200);
    expect((await ask(target.url + photo.body.url)).status).toBe(200);
    expect((await guestClient(target).get<GuestOrderBody>(`/orders/${ordered.token}`)).body.number).toBe(
      ordered.number,
    );
    expect((await patch(target, own.key, order.id, { status: 'READY' })).body.status).toBe('READY');
    expect((await archive(target, host.merchantId)).body).toBe(before);

    expect((await manage(source, 'DELETE', `merchants/${own.merchantId}?force=true`)).status).toBe(204);
    expect((await ask(`${source.url}/v1/stores/`, { key: own.key })).status).toBe(401);
    expect((await list(target, own)).body.count).toBe(3);
  });

  it('is the same where the database writes bytes and dates in another way', async () => {
    const other = await useService();
    await takeCellNumbers(other.db, 8);
    await other.db.query({
      name: 'test_texts',
      text: `DO $$ BEGIN
               EXECUTE format('ALTER DATABASE %I SET bytea_output = escape', current_database());
               EXECUTE format('ALTER DATABASE %I SET datestyle = German', current_database());
             END $$`,
    });
    const own = await createTenant(source);
    await takeIn(source, own);
    const path = `merchants/${own.merchantId}`;
    await untilNoted(own.merchantId);
    const { position } = await stateAt(source, own.merchantId);
    const { body: text } = await archive(source, own.merchantId);
    await manage(other, 'POST', `merchants/restore?position=${position}`, text);
    const { body: sent } = await changes(own.merchantId, position);
    expect((await manage(other, 'POST', `${path}/move/changes`, sent)).body).toMatchObject({ differing: [] });
    expect((await archive(other, own.merchantId)).body).toBe(text);
  });

  it('takes its sales and events along: the old place tells those of the others', async () => {
    const [old, next] = [await useService(), await useService()];
    await takeCellNumbers(next.db, 9);
    const [own, other] = [await createTenant(old), await createTenant(old)];
    for (const tenant of [own, other]) await takeIn(old, tenant);
    const sold = async () =>
      (await manage<{ total: { orders: number } }>(old, 'GET', 'sales?by=status')).body.total.orders;
    const storesIn = async (service: Service, part = '1/1') => {
      const { body } = await manage<{ events: { store_id: string }[] }>(
        service,
        'GET',
        `events?part=${part}&types=order.created`,
      );
      return body.events.map(({ store_id: id }) => id);
    };
    expect(await sold()).toBe(2);
    expect(await storesIn(old)).toEqual([own.storeId, other.storeId]);
    const { body: text } = await archive(old, own.merchantId);
    await manage(next, 'POST', 'merchants/restore?position=1:1', text);
    expect(await storesIn(next)).toEqual([]);
    await setState(next, own.merchantId, { state: 'here' });
    expect(await storesIn(next)).toEqual([own.storeId]);
    const { until } = (await setState(old, own.merchantId, { state: 'refusing' })).body;
    expect(await storesIn(old)).toEqual([own.storeId, other.storeId]);
    await setState(old, own.merchantId, { state: 'moved', to: next.url, until });
    expect(await sold()).toBe(1);
    expect(await storesIn(old)).toEqual([other.storeId]);
  });

  it('sends webhooks from one place at a time, each event of the merchant at least once', async () => {
    const receiver = await startReceiver();
    const sent = (id: string) => receiver.requests.some(({ body }) => body.includes(id));
    const own = await createTenant(source);
    await manage(source, 'POST', 'webhooks', { merchant_id: own.merchantId, url: receiver.url });
    const { body: first } = await takeIn(source, own);
    await expect.poll(() => sent(first.id)).toBe(true);
    const since = await copy(own.merchantId);
    const until = await refuse(own.merchantId);
    await apply(own.merchantId, (await changes(own.merchantId, since)).body);
    await setState(source, own.merchantId, { state: 'moved', to: target.url, until });
    await setState(target, own.merchantId, { state: 'here' });
    const { body: second } = await takeIn(target, own);
    await expect.poll(() => sent(second.id)).toBe(true);
  });

  it('is left alone by the clock on its way', async () => {
    const own = await createTenant(source, ['read', 'orders:write', 'store:write']);
    await manage(source, 'PATCH', `stores/${own.storeId}`, {
      accept: { auto: false, within_minutes: 1, then: 'reject' },
    });
    const { body: order } = await takeIn(source, own);
    await refuse(own.merchantId);
    const inAnHour = new Date(Date.now() + 3_600_000);
    await raiseDueAttention(source.db, 0, inAnHour);
    const read = () => ask<{ status: string }>(`${source.url}/v1/orders/${order.id}`, { key: own.key });
    expect((await read()).body.status).toBe('PENDING');
    await setState(source, own.merchantId, { state: 'here' });
    await raiseDueAttention(source.db, 0, inAnHour);
    expect((await read()).body.status).toBe('REJECTED');
  });

  it('loses no row that was removed in the old place, if it is sent as a whole', async () => {
    const own = await createTenant(source);
    const { body: order } = await takeIn(source, own);
    const since = await copy(own.merchantId);
    await source.db.query({
      name: 'test_prune',
      text: `DELETE FROM events e USING stores s WHERE s.id = $1 AND e.store_key = s.store_key`,
      values: [own.storeId],
    });
    await takeIn(source, own);
    const first = await apply(own.merchantId, (await changes(own.merchantId, since)).body);
    expect(first.body.differing).toEqual(['events']);
    const second = await apply(own.merchantId, (await changes(own.merchantId, since, 'events')).body);
    expect(second.body.differing).toEqual([]);
    // What was erased meanwhile cannot be found there either.
    await manage(source, 'POST', 'customers/erase', { order_ids: [order.id] });
    const third = await apply(own.merchantId, (await changes(own.merchantId, since, 'events')).body);
    expect(third.body.differing).toEqual([]);
    const names = await target.db.query<{ name: string }>({
      name: 'test_names',
      text: 'SELECT s.name FROM order_search s WHERE s.id = $1 AND s.name <> $2',
      values: [order.id, ''],
    });
    expect(names).toEqual([]);
  });

  it('goes through two commands at once without going back', async () => {
    const own = await createTenant(source);
    const since = await copy(own.merchantId);
    const { body: older } = await changes(own.merchantId, since);
    await takeIn(source, own);
    await refuse(own.merchantId);
    expect((await setState(source, own.merchantId, { state: 'refusing' })).status).toBe(409);
    const { body: newer } = await changes(own.merchantId, since);
    expect((await apply(own.merchantId, newer)).body.differing).toEqual([]);
    const back = await apply(own.merchantId, older);
    expect([back.status, back.body]).toEqual([409, { detail: 'Later changes are here already' }]);
    const { position } = await stateAt(source, own.merchantId);
    const again = await manage(
      target,
      'POST',
      `merchants/restore?position=${position}`,
      (await archive(source, own.merchantId)).body,
    );
    expect(again.status).toBe(409);
  });

  it('can be given up in the new place, and moved there again', async () => {
    const own = await createTenant(source);
    await takeIn(source, own);
    await copy(own.merchantId);
    expect((await manage(target, 'DELETE', `merchants/${own.merchantId}`)).status).toBe(409);
    expect((await manage(source, 'DELETE', `merchants/${own.merchantId}/move`)).status).toBe(409);
    expect((await manage(target, 'DELETE', `merchants/${own.merchantId}/move`)).status).toBe(204);
    expect((await manage(target, 'GET', `merchants/${own.merchantId}/move`)).status).toBe(404);
    await move(own.merchantId);
    expect((await list(target, own)).body.count).toBe(1);
  });

  it('waits for a change that is under way, so that it is in the copy', async () => {
    const own = await createTenant(source);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let hasWritten: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (hasWritten = resolve));
    const writing = source.db.transaction(async (tx) => {
      await tx.query({
        name: 'test_rename',
        text: `UPDATE api_keys SET label = 'Late' WHERE id = $1`,
        values: [own.keyId],
      });
      hasWritten();
      await held;
    });
    await written;
    let isRefused = false;
    const refusing = setState(source, own.merchantId, { state: 'refusing', seconds: 600 }).then((answer) => {
      isRefused = true;
      return answer;
    });
    await expect.poll(async () => (await takeIn(source, own)).status).toBe(201);
    expect(isRefused).toBe(false);
    release();
    await writing;
    expect((await refusing).status).toBe(200);
    expect((await archive(source, own.merchantId)).body).toContain('"label":"Late"');
  });

  it.each([
    ['GET', 'move/changes?since=1', undefined, 422],
    ['PATCH', 'move', { state: 'gone' }, 422],
    ['PATCH', 'move', { state: 'moved', until: new Date().toISOString() }, 422],
    ['PATCH', 'move', { state: 'moved', to: 'ftp://there', until: new Date().toISOString() }, 422],
    ['PATCH', 'move', { state: 'refusing', seconds: 0 }, 422],
    ['PATCH', 'move', { state: 'moved', to: 'http://there' }, 409],
    ['POST', 'move/changes', '{"format":"comanda-merchant","number":1,"schema":1}\n', 409],
  ])('%s %s with %j is refused', async (method, path, body, status) => {
    const own = await createTenant(source);
    expect((await manage(source, method, `merchants/${own.merchantId}/${path}`, body)).status).toBe(status);
    expect((await stateAt(source, own.merchantId)).state).toBe('here');
    const asked = await ask(`${source.url}/manage/v1/merchants/${own.merchantId}/move`, { key: own.key });
    expect(asked.status).toBe(403);
    const unknown = await manage(source, 'PATCH', `merchants/${randomUUID()}/move`, { state: 'here' });
    expect(unknown.status).toBe(404);
  });

  it('refuses changes of another merchant, of another format and of a newer schema', async () => {
    const [own, other] = [await createTenant(source), await createTenant(source)];
    const since = await copy(own.merchantId);
    const { body: text } = await changes(own.merchantId, since);
    const { body: foreign } = await changes(other.merchantId, since);
    const newer = text.replace(/"schema":(\d+)/, (_, schema) => `"schema":${Number(schema) + 1}`);
    const cases = [foreign, (await archive(source, own.merchantId)).body, newer, text.slice(0, -30)];
    for (const wrong of cases) {
      const { status, body } = await apply(own.merchantId, wrong);
      expect([status, JSON.stringify(body).length > 60]).toEqual([422, true]);
    }
    expect((await apply(own.merchantId, text)).body.differing).toEqual([]);
    const all = await manage<string>(source, 'GET', `merchants/${own.merchantId}/move/changes`);
    expect((await apply(own.merchantId, all.body)).body.differing).toEqual([]);
  });
});
