import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { eventsUrl, readFeed, readStream, type EventBody, type Message } from '../harness/events.js';
import { chain, menuClient } from '../harness/menu.js';
import { patch, takeIn } from '../harness/orders.js';
import { useService, type Service } from '../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

const eventOf = ({ data = '{}' }: Message) => JSON.parse(data) as EventBody;

/** Reads until so many events have come. */
async function take(stream: AsyncGenerator<Message>, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  while (messages.length < count) {
    const next: IteratorResult<Message, unknown> = await stream.next();
    if (next.done === true) throw new Error(`The stream ended after ${messages.length} events`);
    if (next.value.data !== undefined) messages.push(next.value);
  }
  return messages;
}

/** A stream that has begun: its first message has come. */
async function open(
  reader: Parameters<typeof readStream>[1],
  options: Parameters<typeof readStream>[2] = {},
  from: Pick<Service, 'url'> = service,
): Promise<{ stream: AsyncGenerator<Message>; first: Message }> {
  const stream = readStream(from, reader, options);
  const next: IteratorResult<Message, unknown> = await stream.next();
  return { stream, first: next.value as Message };
}

describe.concurrent('a stream', () => {
  it('has the headers that keep proxies from holding it back', async () => {
    const tenant = await createTenant(service);
    const stop = new AbortController();
    const answer = await fetch(`${eventsUrl(service, tenant)}/stream`, {
      headers: { 'x-api-key': tenant.key, 'accept-encoding': 'gzip' },
      signal: stop.signal,
    });
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('x-accel-buffering'),
    ]).toEqual([200, 'text/event-stream', 'no']);
    expect([answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual([
      null,
      'no-store',
    ]);
    stop.abort();
    const head = await fetch(`${eventsUrl(service, tenant)}/stream`, {
      method: 'HEAD',
      headers: { 'x-api-key': tenant.key },
    });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it('begins now, brings each event as the feed shows it, and goes on from any of them', async () => {
    const tenant = await createTenant(service);
    const { body: before } = await takeIn(service, tenant);
    const { stream, first } = await open(tenant);
    expect(first).toEqual({ retry: '3000', id: (await readFeed(service, tenant)).body.cursor });
    await patch(service, tenant.key, before.id, { status: 'ACCEPTED' });
    await takeIn(service, tenant);
    const messages = await take(stream, 2);
    await stream.return(undefined);
    const { body } = await readFeed(service, tenant);
    expect(messages.map(eventOf)).toEqual(body.events.slice(1));
    expect(messages.map(({ id, event }) => [id, event])).toEqual(
      body.events.slice(1).map(({ cursor, type }) => [cursor, type]),
    );
    const { stream: resumed } = await open(tenant, {
      lastEventId: body.events[0]?.cursor ?? '',
      query: { after: 'now' },
    });
    expect((await take(resumed, 2)).map(eventOf)).toEqual(body.events.slice(1));
    await resumed.return(undefined);
    const { stream: after } = await open(tenant, { query: { after: body.events[1]?.cursor ?? '' } });
    expect((await take(after, 1)).map(eventOf)).toEqual(body.events.slice(2));
    await after.return(undefined);
  });

  it('brings only the types asked for, and the orders if wanted', async () => {
    const tenant = await createTenant(service);
    const { stream } = await open(tenant, {
      query: { types: 'menu.published,order.status_changed', include: 'order' },
    });
    const { body: order } = await takeIn(service, tenant);
    await menuClient(service, tenant).post(chain());
    const { body: changed } = await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
    const events = (await take(stream, 2)).map(eventOf);
    expect(events.map(({ type }) => type)).toEqual(['menu.published', 'order.status_changed']);
    expect(events[1]?.data['order']).toMatchObject({ ...changed, revision: 2 });
    await stream.return(undefined);
  });

  it('of all stores has those of a store that is new', async () => {
    const tenant = await createTenant(service);
    const reader = { key: tenant.key };
    const { stream } = await open(reader);
    await takeIn(service, tenant);
    const [one] = (await take(stream, 1)).map(eventOf);
    const storeId = await createStore(service, tenant.merchantId);
    await takeIn(service, { ...tenant, storeId });
    // A store that nobody knew of is found when the stores are looked at again: with the next event, or in 15 seconds.
    await takeIn(service, tenant);
    const rest = (await take(stream, 2)).map(eventOf);
    await stream.return(undefined);
    const all = [one, ...rest].map((event) => [event?.store_id, event?.sequence]);
    expect(all.sort()).toEqual(
      [
        [storeId, 1],
        [tenant.storeId, 1],
        [tenant.storeId, 2],
      ].sort(),
    );
    const { stream: resumed } = await open(reader, { lastEventId: one?.cursor ?? '' });
    expect(
      (await take(resumed, 2))
        .map(eventOf)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(rest.map(({ id }) => id).sort());
    await resumed.return(undefined);
  });

  it('refuses cursors that are not its own before it begins', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    const foreign = (await readFeed(service, other)).body.cursor;
    const ask410 = (headers: Record<string, string>, query = '') =>
      ask<{ detail: unknown }>(`${eventsUrl(service, tenant)}/stream?${query}`, { key: tenant.key, headers });
    expect((await ask410({ 'last-event-id': foreign })).body.detail).toEqual([
      expect.objectContaining({ loc: ['header', 'Last-Event-ID'] }),
    ]);
    expect((await ask410({}, `after=${foreign}`)).status).toBe(422);
    expect((await ask410({}, 'limit=3')).status).toBe(422);
    expect((await ask410({}, 'types=x')).status).toBe(422);
  });

  it('tells whoever is too late so before it begins, and where to go on', async () => {
    const { storeId, key, ...tenant } = await createTenant(service);
    for (let i = 0; i < 3; i += 1) await takeIn(service, { ...tenant, storeId, key });
    for (const reader of [{ key, storeId }, { key }]) {
      const [first] = (await readFeed(service, reader, { limit: '1' })).body.events;
      await service.db.withClient((client) =>
        client.query(
          `WITH kept AS (UPDATE event_counters c SET first_sequence = c.first_sequence + 2 FROM stores s
             WHERE s.store_key = c.store_key AND s.id = $1 RETURNING c.store_key, c.first_sequence)
           DELETE FROM events e USING kept WHERE e.store_key = kept.store_key AND e.sequence < kept.first_sequence`,
          [storeId],
        ),
      );
      const oldest = (await readFeed(service, reader, { after: first?.cursor ?? '' })).body;
      const late = await ask(`${eventsUrl(service, reader)}/stream`, {
        key,
        headers: { 'last-event-id': first?.cursor ?? '' },
      });
      expect([late.status, late.body]).toEqual([410, oldest]);
      for (let i = 0; i < 2; i += 1) await takeIn(service, { ...tenant, storeId, key });
    }
  });

  it('ends for a key that is revoked, or may see the store no more, with the next event', async () => {
    const tenant = await createTenant(service);
    const { id, key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    const { stream } = await open({ key, storeId: tenant.storeId });
    await takeIn(service, tenant);
    await take(stream, 1);
    await ask(`${service.url}/manage/v1/keys/${id}`, { method: 'DELETE', key: service.operatorKey });
    await takeIn(service, tenant);
    const rest: Message[] = [];
    for await (const message of stream) rest.push(message);
    expect(rest).toEqual([]);
  });

  it('ends for a revoked key within 15 seconds, also when nothing happens, and says something until then', async () => {
    const tenant = await createTenant(service);
    const { id, key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    const [kept, ended] = [await open(tenant), await open({ key, storeId: tenant.storeId })];
    await ask(`${service.url}/manage/v1/keys/${id}`, { method: 'DELETE', key: service.operatorKey });
    expect((await ended.stream.next()).done).toBe(true);
    expect(await kept.stream.next()).toEqual({ done: false, value: { comment: '', id: kept.first.id } });
    await kept.stream.return(undefined);
  });

  it('ends when the service does', async () => {
    const replica = await service.replica();
    const tenant = await createTenant(service);
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(tenant, {}, replica)));
    await replica.stop();
    for (const { stream } of streams) expect((await stream.next()).done).toBe(true);
  });

  it('takes no connection of the database while it waits, however many there are', async ({ expect }) => {
    const replica = await service.replica();
    const tenant = await createTenant(service);
    const streams = await Promise.all(Array.from({ length: 200 }, () => open(tenant, {}, replica)));
    const inUse = () => {
      const { total, idle } = replica.db.usage();
      return total - idle;
    };
    await expect.poll(inUse).toBeLessThan(2);
    await takeIn(service, tenant);
    const messages = await Promise.all(streams.map(({ stream }) => take(stream, 1)));
    expect(new Set(messages.map(([message]) => message?.id)).size).toBe(1);
    await replica.stop();
  });
});

describe.concurrent('a client that does not read', () => {
  it('is cut off, with a bounded part of what it has not read in memory', async ({ expect }) => {
    const slow = await service.replica({ requestSeconds: 2 });
    const tenant = await createTenant(service);
    const { socket, isCut } = await openSilently(slow, tenant);
    const items = [{ note: 'x'.repeat(500_000) }];
    await Promise.all(Array.from({ length: 40 }, () => takeIn(service, tenant, { items })));
    await expect.poll(isCut).toBe(true);
    // Of 20 MB, what the two ends of the connection held when it was cut, and no more.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(15_000_000);
    await slow.stop();
  });
});

/** A connection that asks for a stream with orders and then reads nothing, and whether the service has cut it. */
async function openSilently({ url }: Service, { key, storeId }: Tenant) {
  const { hostname, port } = new URL(url);
  const ends: Socket[] = [];
  const note = (opened: unknown) => ends.push((opened as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET /manage/v1/stores/${storeId}/events/stream?include=order HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  unsubscribe('net.server.socket', note);
  const end = ends.find(({ remotePort }) => remotePort === socket.localPort);
  return { socket, isCut: () => end?.destroyed };
}
