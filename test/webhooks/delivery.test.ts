import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { byClock, readAudit } from '../harness/audit.js';
import { ask } from '../harness/client.js';
import { patch, takeIn } from '../harness/orders.js';
import { startReceiver, type Behave, type ReceivedRequest } from '../harness/receiver.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../harness/tenant.js';
import { createWebhook, eventsOf, webhookClient } from '../harness/webhooks.js';

const service = await useService({}, { delivers: true });

const sequencesOf = (requests: readonly ReceivedRequest[]) =>
  eventsOf(requests).map(({ sequence }) => sequence);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const run = (text: string, values: unknown[] = []) =>
  service.db.withClient((client) => client.query(text, values as never[]));

/** What waits for its next attempt need not wait. */
const hurry = (id: string) =>
  run(`UPDATE webhook_cursors SET next_attempt_at = now() WHERE webhook_id = $1`, [id]);

async function setUp(behave?: Behave, more: object = {}) {
  const tenant = await createTenant(service);
  const receiver = await startReceiver(behave);
  const client = webhookClient(service, tenant.key);
  const webhook = await createWebhook(client, { url: receiver.url, ...more });
  return { tenant, receiver, client, webhook };
}

async function takeInMany(tenant: Tenant, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await takeIn(service, tenant);
}

function verify(secret: string, { headers, body }: ReceivedRequest): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe('an event', () => {
  it('is posted to the webhook, signed as Standard Webhooks wants it', async () => {
    const { tenant, receiver, webhook } = await setUp();
    const { body: order } = await takeIn(service, tenant, { external_id: 'A-1' });
    await expect.poll(() => receiver.requests).toHaveLength(1);
    const [request] = receiver.requests as [ReceivedRequest];
    const event = {
      id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/) as string,
      type: 'order.created',
      timestamp: expect.stringMatching(/Z$/) as string,
      store_id: tenant.storeId,
      sequence: 1,
      cursor: expect.stringMatching(/./) as string,
      data: {
        order_id: order.id,
        number: 1,
        external_id: 'A-1',
        revision: 1,
        status: 'PENDING',
        price: 390,
        tax: 39,
        ready_by: '2026-03-01T12:30:00.000Z',
        key_id: tenant.keyId,
      },
    };
    expect(verify(webhook.secret, request)).toEqual(event);
    expect([request.method, request.path]).toEqual(['POST', '/hooks']);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Comanda\/\d/) as string,
      'webhook-id': (JSON.parse(request.body) as { id: string }).id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as string,
    });
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toThrow();
  });

  it('of every kind arrives, in order, one request at a time', async () => {
    const { tenant, receiver } = await setUp((_, response) => setTimeout(() => response.end(), 5));
    const { body: order } = await takeIn(service, tenant);
    await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
    await patch(service, tenant.key, order.id, { is_read: true });
    await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, {
      method: 'PATCH',
      key: service.operatorKey,
      body: { city: 'Graz' },
    });
    await takeInMany(tenant, 20);
    await expect.poll(() => receiver.requests.length).toBe(24);
    expect(sequencesOf(receiver.requests)).toEqual(upTo(24));
    expect(
      eventsOf(receiver.requests)
        .slice(0, 4)
        .map(({ type }) => type),
    ).toEqual(['order.created', 'order.status_changed', 'order.updated', 'store.updated']);
    expect(receiver.mostAtOnce()).toBe(1);
  });

  it('of another merchant does not arrive', async () => {
    const { tenant, receiver } = await setUp();
    const { tenant: other, receiver: theirs } = await setUp();
    await takeIn(service, other);
    await takeIn(service, tenant);
    await takeIn(service, other);
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
    await expect.poll(() => theirs.requests.length).toBe(2);
    expect(eventsOf(receiver.requests).map(({ store_id }) => store_id)).toEqual([tenant.storeId]);
  });

  it('arrives only if its type and store are wanted; the place moves on all the same', async () => {
    const { tenant, receiver, client, webhook } = await setUp(undefined, { types: ['order.status_changed'] });
    const second = await createStore(service, tenant.merchantId);
    const ofStore = await startReceiver();
    await createWebhook(client, { url: ofStore.url, store_ids: [second] });
    const { body: order } = await takeIn(service, tenant);
    await takeInMany(tenant, 5);
    await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
    await takeIn(service, { ...tenant, storeId: second });
    await expect.poll(() => receiver.requests.length).toBe(1);
    await expect.poll(() => ofStore.requests.length).toBe(1);
    expect(eventsOf(receiver.requests)).toMatchObject([{ type: 'order.status_changed', sequence: 7 }]);
    expect(eventsOf(ofStore.requests)).toMatchObject([{ store_id: second }]);
    await expect
      .poll(async () => (await client.get(webhook.id)).body.lag.map(({ behind }) => behind))
      .toEqual([0, 0]);
  });

  it('made with the webhook’s own key, or one that replaced it, is left out where that is wanted', async () => {
    const { tenant, receiver } = await setUp(undefined, { skip_own: true });
    const rotated = await ask<{ key: string }>(`${service.url}/manage/v1/keys/${tenant.keyId}/rotate`, {
      method: 'POST',
      key: service.operatorKey,
    });
    const { key, id } = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['orders:write'],
    });
    await takeIn(service, tenant);
    await takeIn(service, { ...tenant, key: rotated.body.key });
    await takeIn(service, { ...tenant, key });
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(eventsOf(receiver.requests)).toMatchObject([{ sequence: 3, data: { key_id: id } }]);
  });

  it('carries the order as it is when it is sent, where that is wanted', async () => {
    let isOpen = false;
    const { tenant, receiver, webhook } = await setUp(
      (_, response) => response.writeHead(isOpen ? 200 : 503).end(),
      { include_order: true },
    );
    const { body: order } = await takeIn(service, tenant, { external_id: 'A-2' });
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
    await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
    isOpen = true;
    const refused = receiver.requests.length;
    await hurry(webhook.id);
    await expect.poll(() => receiver.requests.length).toBe(refused + 2);
    const [before] = eventsOf(receiver.requests);
    const [created, changed] = eventsOf(receiver.requests.slice(refused));
    expect(before?.data['order']).toMatchObject({ id: order.id, status: 'PENDING', revision: 1 });
    expect(created).toMatchObject({ type: 'order.created', data: { revision: 1, status: 'PENDING' } });
    const now = await ask(`${service.url}/v1/orders/${order.id}`, { key: tenant.key });
    const { result_code: _code, result_message: _message, ...shown } = now.body as Record<string, unknown>;
    const updated_at = expect.stringMatching(/Z$/) as string;
    expect(created?.data['order']).toEqual({
      ...shown,
      ...{ external_id: 'A-2', revision: 2, updated_at, number: 1, due: 429 },
    });
    expect(changed?.data['order']).toEqual(created?.data['order']);
  });
});

describe('a receiver', () => {
  it('that fails at random has everything in the end, in order', async () => {
    let count = 0;
    const { tenant, receiver, webhook } = await setUp((_, response, socket) => {
      count += 1;
      response.setHeader('connection', 'close');
      if (count % 4 === 1) response.writeHead(500).end();
      else if (count % 4 === 2) socket.destroy();
      else response.end();
    });
    await takeInMany(tenant, 12);
    const hurrying = setInterval(() => void hurry(webhook.id), 50);
    await expect.poll(() => new Set(sequencesOf(receiver.requests)).size).toBe(12);
    await expect
      .poll(async () => (await webhookClient(service, tenant.key).get(webhook.id)).body.lag)
      .toEqual([{ store_id: tenant.storeId, behind: 0 }]);
    clearInterval(hurrying);
    const seen = sequencesOf(receiver.requests);
    // Each is repeated until it is taken, and none comes before the one before it is.
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const ids = new Map(eventsOf(receiver.requests).map(({ sequence, id }) => [sequence, id]));
    for (const { sequence, id } of eventsOf(receiver.requests)) expect(id).toBe(ids.get(sequence));
    // The last attempt may be recorded a moment after the position that it led to.
    const listed = () => webhookClient(service, tenant.key).deliveries(webhook.id);
    await expect.poll(listed).toHaveLength(seen.length);
    const deliveries = await listed();
    expect(deliveries.toReversed().map(({ sequence }) => sequence)).toEqual(seen);
    const failures = deliveries.filter(({ error }) => error !== undefined);
    expect(new Set(failures.map(({ error }) => error))).toEqual(
      new Set(['server_error', 'connection_closed']),
    );
  });

  it('that was away catches up; meanwhile the next attempt is put off further and further', async () => {
    let isOpen = false;
    const { tenant, receiver, client, webhook } = await setUp((_, response) =>
      response.writeHead(isOpen ? 200 : 500).end('closed'),
    );
    await takeInMany(tenant, 3);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect.poll(() => client.deliveries(webhook.id)).toHaveLength(attempt);
      const { rows } = await run(
        `SELECT extract(epoch FROM c.next_attempt_at - d.at)::float8 AS wait
         FROM webhook_cursors c JOIN webhook_deliveries d ON d.webhook_id = c.webhook_id AND d.attempt = $2
         WHERE c.webhook_id = $1`,
        [webhook.id, attempt],
      );
      waits.push((rows as { wait: number }[])[0]?.wait ?? 0);
      await hurry(webhook.id);
    }
    expect(waits[0]).toBeGreaterThan(3.9);
    expect(waits[0]).toBeLessThan(9);
    expect(waits[1]).toBeGreaterThan(11.9);
    expect(waits[1]).toBeLessThan(22);
    expect(waits[2]).toBeGreaterThan(47.9);
    isOpen = true;
    await hurry(webhook.id);
    await expect
      .poll(async () => (await client.get(webhook.id)).body.lag)
      .toEqual([{ store_id: tenant.storeId, behind: 0 }]);
    const seen = sequencesOf(receiver.requests);
    expect(seen.filter((sequence) => sequence > 1)).toEqual([2, 3]);
    expect((await client.deliveries(webhook.id)).at(-1)).toMatchObject({
      type: 'order.created',
      sequence: 1,
      attempt: 1,
      status: 500,
      error: 'server_error',
      response: 'closed',
    });
  });

  it('that answers 410 is asked no more until it is made active, and has lost nothing', async () => {
    let status = 410;
    const { tenant, receiver, client, webhook } = await setUp((_, response) =>
      response.writeHead(status).end(),
    );
    await takeIn(service, tenant);
    await expect.poll(async () => (await client.get(webhook.id)).body.status).toBe('disabled');
    expect((await client.get(webhook.id)).body.disabled_reason).toBe('gone');
    const disabled = { before: { status: 'active' }, after: { status: 'disabled', disabled_reason: 'gone' } };
    const { merchantId: merchant_id } = tenant;
    expect(await readAudit(service, { merchant_id, type: 'webhook.changed' })).toEqual([
      byClock({ type: 'webhook.changed', merchant_id, subject: webhook.id, ...disabled }),
    ]);
    const witness = await startReceiver();
    await createWebhook(client, { url: witness.url });
    await takeIn(service, tenant);
    await hurry(webhook.id);
    await expect.poll(() => sequencesOf(witness.requests)).toEqual([2]);
    expect(receiver.requests).toHaveLength(1);
    status = 200;
    await client.send('PATCH', `/${webhook.id}`, { status: 'active' });
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([1, 1, 2]);
  });

  it('that nothing has reached for five days is disabled; one success before would have kept it', async () => {
    const { tenant, client, webhook } = await setUp((_, response) => response.writeHead(500).end());
    await takeIn(service, tenant);
    await expect.poll(() => client.deliveries(webhook.id)).toHaveLength(1);
    const failFor = (days: string) =>
      run(`UPDATE webhooks SET failing_since = now() - $2::interval WHERE id = $1`, [webhook.id, days]);
    await failFor('4 days 23 hours');
    await hurry(webhook.id);
    await expect.poll(() => client.deliveries(webhook.id)).toHaveLength(2);
    expect((await client.get(webhook.id)).body.status).toBe('active');
    await failFor('5 days 1 minute');
    await hurry(webhook.id);
    await expect.poll(() => client.deliveries(webhook.id)).toHaveLength(3);
    // As after a quiet time: what is tried now has not been tried often enough.
    expect((await client.get(webhook.id)).body.status).toBe('active');
    await run('UPDATE webhook_cursors SET attempts = 6 WHERE webhook_id = $1', [webhook.id]);
    await hurry(webhook.id);
    await expect.poll(async () => (await client.get(webhook.id)).body.status).toBe('disabled');
    expect((await client.get(webhook.id)).body).toMatchObject({
      disabled_reason: 'failing',
      lag: [{ behind: 1 }],
    });
    const entries = await readAudit(service, { merchant_id: tenant.merchantId, type: 'webhook.changed' });
    expect(entries).toMatchObject([{ via: 'clock', after: { disabled_reason: 'failing' } }]);
  });

  it('that refuses an event again and again gets the next ones; the event is parked and can be sent again', async () => {
    let refusesFirst = true;
    const { tenant, receiver, client, webhook } = await setUp(({ body }, response) => {
      const isFirst = (JSON.parse(body) as { sequence: number }).sequence === 1;
      response.writeHead(isFirst && refusesFirst ? 422 : 200).end('no such till');
    });
    await takeInMany(tenant, 2);
    await expect.poll(() => client.deliveries(webhook.id)).toHaveLength(1);
    // The seventh refusal, and the first was long ago.
    await run(
      `UPDATE webhook_cursors SET attempts = 7, refusals = 7, first_refused_at = now() - interval '31 minutes'
       WHERE webhook_id = $1`,
      [webhook.id],
    );
    await hurry(webhook.id);
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([1, 1, 2]);
    const [first] = eventsOf(receiver.requests);
    const eventId = first?.id ?? '';
    await expect
      .poll(async () => (await client.get(webhook.id)).body.parked)
      .toEqual([
        {
          event_id: eventId,
          type: 'order.created',
          store_id: tenant.storeId,
          sequence: 1,
          parked_at: expect.any(String) as string,
          status: 422,
        },
      ]);
    const sendAgain = () => client.send('POST', `/${webhook.id}/parked/${eventId}/send`);
    const latency_ms = expect.any(Number) as number;
    expect((await sendAgain()).body).toEqual({
      delivered: false,
      status: 422,
      error: 'client_error',
      latency_ms,
    });
    expect((await client.get(webhook.id)).body.parked).toHaveLength(1);
    refusesFirst = false;
    expect((await sendAgain()).body).toEqual({ delivered: true, status: 200, latency_ms });
    expect((await client.get(webhook.id)).body.parked).toEqual([]);
    expect(sequencesOf(receiver.requests)).toEqual([1, 1, 2, 1, 1]);
    const gone = await sendAgain();
    expect([gone.status, gone.body]).toEqual([404, { detail: 'Parked event not found' }]);
    verify(webhook.secret, receiver.requests.at(-1) as ReceivedRequest);
  });

  it('is told of more stores than it is sent to at once, one after the other without a pause', async () => {
    const { tenant, receiver } = await setUp((_, response) => setTimeout(() => response.end(), 300));
    const stores = [tenant.storeId];
    while (stores.length < 12) stores.push(await createStore(service, tenant.merchantId));
    await Promise.all(stores.map((storeId) => takeIn(service, { ...tenant, storeId })));
    await expect.poll(() => receiver.requests.length, { timeout: 12_000 }).toBe(12);
    expect(new Set(eventsOf(receiver.requests).map(({ store_id }) => store_id))).toEqual(new Set(stores));
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(8);
  });

  it('is told of a store that comes later from its first event on, soon, also if that was written elsewhere', async () => {
    const { tenant, receiver, client, webhook } = await setUp();
    const second = await createStore(service, tenant.merchantId);
    await takeIn(service, { ...tenant, storeId: second });
    await expect.poll(() => receiver.requests.length, { interval: 10 }).toBe(1);
    // A process that was killed right after the commit has told nobody of the event.
    const third = await createStore(service, tenant.merchantId);
    await run(
      `WITH counter AS (
         INSERT INTO event_counters (store_key, first_sequence, last_sequence)
         SELECT s.store_key, 1, 1 FROM stores s WHERE s.id = $1)
       INSERT INTO events (store_key, sequence, id, type, at, data)
       SELECT s.store_key, 1, gen_random_uuid(), 'store.updated', now(), '{"key_id": "none"}'
       FROM stores s WHERE s.id = $1`,
      [third],
    );
    await expect.poll(() => receiver.requests.length, { timeout: 60_000 }).toBe(2);
    expect(eventsOf(receiver.requests)).toMatchObject([
      { store_id: second, sequence: 1, type: 'order.created' },
      { store_id: third, sequence: 1, type: 'store.updated' },
    ]);
    const behind = async () => (await client.get(webhook.id)).body.lag.map((store) => store.behind);
    await expect.poll(behind).toEqual([0, 0, 0]);
  });

  it('that hangs holds up neither other endpoints nor other stores of its own', async () => {
    const { tenant, client } = await setUp(({ body }, response) => {
      if ((JSON.parse(body) as { store_id: string }).store_id !== tenant.storeId) response.end();
    });
    const second = await createStore(service, tenant.merchantId);
    const other = await startReceiver();
    const healthy = await createWebhook(client, { url: other.url });
    await takeIn(service, tenant);
    await takeIn(service, { ...tenant, storeId: second });
    await expect.poll(() => other.requests.length, { timeout: 8_000 }).toBe(2);
    await expect
      .poll(async () => (await client.get(healthy.id)).body.lag.map(({ behind }) => behind))
      .toEqual([0, 0]);
  });
});

describe('a webhook', () => {
  it('signs with both secrets for a day after a rotation, then with the new one alone', async () => {
    const { tenant, receiver, client, webhook } = await setUp();
    const rotated = await client.send('POST', `/${webhook.id}/rotate`);
    const fresh = String(rotated.body['secret']);
    expect([rotated.status, fresh]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    await takeIn(service, tenant);
    await expect.poll(() => receiver.requests.length).toBe(1);
    const [both] = receiver.requests as [ReceivedRequest];
    for (const secret of [webhook.secret, fresh]) verify(secret, both);
    await run(`UPDATE webhooks SET old_secret_until = now() - interval '1 second' WHERE id = $1`, [
      webhook.id,
    ]);
    await takeIn(service, tenant);
    await expect.poll(() => receiver.requests.length).toBe(2);
    const [, alone] = receiver.requests as [ReceivedRequest, ReceivedRequest];
    verify(fresh, alone);
    expect(() => verify(webhook.secret, alone)).toThrow();
    expect(await client.send('POST', `/${webhook.id}/rotate`)).toMatchObject({ status: 200 });
  });

  it('is tested at once, outside the sequence, also while it is disabled', async () => {
    const { tenant, receiver, client, webhook } = await setUp();
    await client.send('PATCH', `/${webhook.id}`, { status: 'disabled' });
    const tested = await client.send('POST', `/${webhook.id}/test`);
    const latency_ms = expect.any(Number) as number;
    expect([tested.status, tested.body]).toEqual([200, { delivered: true, status: 200, latency_ms }]);
    const [request] = receiver.requests as [ReceivedRequest];
    expect(verify(webhook.secret, request)).toEqual({
      id: request.headers['webhook-id'],
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/) as string,
      data: { webhook_id: webhook.id },
    });
    expect(await client.deliveries(webhook.id)).toEqual([
      {
        event_id: request.headers['webhook-id'],
        type: 'webhook.test',
        attempt: 1,
        at: expect.any(String) as string,
        status: 200,
        latency_ms,
      },
    ]);
    expect((await client.get(webhook.id)).body.lag).toEqual([{ store_id: tenant.storeId, behind: 0 }]);
  });

  it('tells what a test met: a refusal, nobody there, an address that is not allowed', async () => {
    const { client, webhook } = await setUp((_, response) =>
      response.writeHead(302, { location: '/' }).end(),
    );
    const test = async (url?: string) => {
      if (url !== undefined) await client.send('PATCH', `/${webhook.id}`, { url });
      return (await client.send('POST', `/${webhook.id}/test`)).body;
    };
    expect(await test()).toMatchObject({ delivered: false, status: 302, error: 'redirect' });
    expect(await test('http://127.0.0.1:1/')).toMatchObject({
      delivered: false,
      error: 'connection_refused',
    });
    await run(`UPDATE webhooks SET url = 'http://10.0.0.1/' WHERE id = $1`, [webhook.id]);
    expect(await test()).toMatchObject({ delivered: false, error: 'address_not_allowed' });
  });

  it('is sent again what it has had by a replay, and goes on from there', async () => {
    const { tenant, receiver, client, webhook } = await setUp();
    await takeInMany(tenant, 4);
    await expect.poll(() => receiver.requests.length).toBe(4);
    const { cursor } = eventsOf(receiver.requests)[1] as { cursor: string };
    const replayed = await client.send('POST', `/${webhook.id}/replay`, {
      store_id: tenant.storeId,
      after: cursor,
    });
    expect(replayed.status).toBe(200);
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([1, 2, 3, 4, 3, 4]);
    await takeIn(service, tenant);
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([1, 2, 3, 4, 3, 4, 5]);
    const other = await createTenant(service);
    const foreign = await webhookClient(service, other.key).create({ url: receiver.url });
    const refused = await webhookClient(service, other.key).send('POST', `/${foreign.body.id}/replay`, {
      store_id: other.storeId,
      after: cursor,
    });
    expect([refused.status, refused.body]).toMatchObject([422, { detail: [{ loc: ['body', 'after'] }] }]);
  });

  it('goes on at its new address, at once', async () => {
    const { tenant, receiver, client, webhook } = await setUp((_, response) => response.writeHead(500).end());
    await takeInMany(tenant, 2);
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
    const next = await startReceiver();
    await client.send('PATCH', `/${webhook.id}`, { url: next.url });
    await expect.poll(() => sequencesOf(next.requests), { timeout: 5_000 }).toEqual([1, 2]);
  });

  it('that is removed in the midst gets nothing more', async () => {
    // Longer than it takes to write down how far a delivery has come, by which a removal is noticed.
    const { tenant, receiver, client, webhook } = await setUp((_, response) =>
      setTimeout(() => response.end(), 150),
    );
    const witness = await startReceiver();
    await createWebhook(client, { url: witness.url });
    await takeInMany(tenant, 100);
    await client.send('DELETE', `/${webhook.id}`);
    const had = receiver.requests.length;
    await takeIn(service, tenant);
    await expect.poll(() => witness.requests.length).toBe(101);
    // One may have been under way.
    expect(receiver.requests.length).toBeLessThanOrEqual(had + 1);
    expect(had).toBeLessThan(100);
  });

  it('whose events are no longer kept goes on with the oldest that is', async () => {
    const { tenant, receiver, client, webhook } = await setUp();
    await client.send('PATCH', `/${webhook.id}`, { status: 'disabled' });
    await takeInMany(tenant, 5);
    await run(
      `WITH gone AS (DELETE FROM events USING stores s WHERE s.id = $1 AND events.store_key = s.store_key AND sequence < 4)
       UPDATE event_counters SET first_sequence = 4 FROM stores s WHERE s.id = $1 AND event_counters.store_key = s.store_key`,
      [tenant.storeId],
    );
    expect((await client.get(webhook.id)).body.lag).toMatchObject([{ behind: 2 }]);
    const { cursor } = await firstCursor(client, webhook.id);
    expect(cursor.status).toBe(422);
    await client.send('PATCH', `/${webhook.id}`, { status: 'active' });
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([4, 5]);

    async function firstCursor(of: typeof client, id: string) {
      const { encodeCursor } = await import('../../src/events/cursor.js');
      const { rows } = await run(`SELECT e.epoch, s.store_key FROM event_epoch e, stores s WHERE s.id = $1`, [
        tenant.storeId,
      ]);
      const [{ epoch, store_key: storeKey }] = rows as [{ epoch: string; store_key: number }];
      const after = encodeCursor({ of: 'store', epoch, storeKey, sequence: 1 });
      return { cursor: await of.send('POST', `/${id}/replay`, { store_id: tenant.storeId, after }) };
    }
  });
});

describe('the metrics', () => {
  it('count deliveries, failures and disabled endpoints, and tell how far behind they are', async () => {
    const { tenant, client, webhook } = await setUp((_, response) => response.writeHead(500).end());
    await takeInMany(tenant, 3);
    await expect.poll(() => client.deliveries(webhook.id)).toHaveLength(1);
    const read = async () => (await ask<string>(`${service.url}/metrics`, { key: service.operatorKey })).body;
    const value = async (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(await read())?.[1]);
    await expect.poll(() => value('comanda_webhook_lag_events')).toBeGreaterThanOrEqual(3);
    expect(await value('comanda_webhook_lag_seconds')).toBeGreaterThan(0);
    expect(await value('comanda_webhooks_active')).toBeGreaterThan(0);
    expect(await value('comanda_webhook_deliveries_total\\{outcome="failed"\\}')).toBeGreaterThan(0);
    expect(await value('comanda_webhook_deliveries_total\\{outcome="delivered"\\}')).toBeGreaterThan(0);
    expect(await value('comanda_webhooks_disabled_total\\{reason="gone"\\}')).toBeGreaterThan(0);
  });
});

describe('what is kept of attempts', () => {
  it('is the newest thousand; the rest is counted', { timeout: 120_000 }, async () => {
    const { tenant, client, webhook } = await setUp((_, response) => response.end('x'.repeat(4_000)));
    const { id } = webhook;
    await run(
      `INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, attempt, at, latency_ms, error)
       SELECT $1, lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), 'webhook.test', 1, now(), 1, 'timeout'
       FROM generate_series(1, 1000) n`,
      [id],
    );
    await takeInMany(tenant, 120);
    await expect
      .poll(async () => (await client.get(id)).body.lag, { timeout: 60_000 })
      .toEqual([{ store_id: tenant.storeId, behind: 0 }]);

    const kept = async () => {
      const { rows } = await run('SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1', [id]);
      return (rows as { count: number }[])[0]?.count ?? 0;
    };
    const countOlder = async () =>
      ((await client.get(id)).body['older_attempts'] ?? { delivered: 0, failed: 0 }) as {
        delivered: number;
        failed: number;
      };
    await cleanUp(service.db, 30);
    // No attempt is forgotten without being counted.
    await expect.poll(async () => (await kept()) + (await countOlder()).failed).toBe(1_120);
    expect(await kept()).toBeLessThan(1_060);
    expect((await countOlder()).delivered).toBe(0);
    const listed = await client.deliveries(id);
    expect(listed.slice(0, 120).map(({ sequence }) => sequence)).toEqual(upTo(120).reverse());
    expect(listed[0]?.response).toHaveLength(4_000);
  });
});
