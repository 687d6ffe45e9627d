import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { ask, type Answer } from '../harness/client.js';
import { readFeed, readStream, type EventBody, type Reader } from '../harness/events.js';
import { menuClient, numberedMenu } from '../harness/menu.js';
import { importLines, orderRequest, patch, takeIn } from '../harness/orders.js';
import { folderForTest, type ServiceProcess } from '../harness/process.js';
import { startReceiver } from '../harness/receiver.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createDatabase, type Service } from '../harness/service.js';
import { createStore, createTenant, type Tenant } from '../harness/tenant.js';
import { createWebhook, eventsOf, webhookClient } from '../harness/webhooks.js';

/** How long is written while processes are killed; more finds rarer errors. */
const SECONDS = Number(process.env['EVENT_KILL_SECONDS'] ?? 6);
const WRITERS = 6;

const random = (below: number) => Math.floor(Math.random() * below);
const anyOf = <T>(all: readonly T[]): T => all[random(all.length)] as T;

/** What a writer does next; intake most often. */
const KINDS = [
  'create',
  'create',
  'create',
  'create',
  'accept',
  'accept',
  'update',
  'update',
  'import',
  'publish',
  'mark',
  'rename',
] as const;

/** What was tried: each answered change must be told once, each other one once or not at all. */
interface Tried {
  readonly answered: Map<string, number>;
  readonly unanswered: Map<string, number>;
}

const count = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

/** What an event tells, in the words in which it was tried. */
function gistOf({ type, store_id: store, data }: EventBody): string {
  const { external_id: id, status, created } = data as Record<string, string | number | undefined>;
  switch (type) {
    case 'order.status_changed':
      return `${store} ${type} ${id} ${status}`;
    case 'orders.imported':
      return `${store} ${type} ${created}`;
    case 'menu.published':
    case 'store.updated':
      return `${store} ${type}`;
    default:
      return `${store} ${type} ${id}`;
  }
}

it(
  'events are told once and in order to every reader, whichever process is killed and when',
  async () => {
    const { connection, drop } = await createDatabase(inject('template'));
    onTestFinished(drop);
    const environment = {
      COMANDA_DATA_DIR: await folderForTest(),
      COMANDA_SECRET_KEY: 'secret-key-for-tests-0123456789abcdef',
    };
    const start = () => startProcessOn(connection, environment);
    const running: ServiceProcess[] = [await start(), await start()];
    const anyService = () => asService(anyOf(running));
    const tenant = await createTenant(anyService());
    const stores = [tenant.storeId, await createStore(anyService(), tenant.merchantId)];
    const receiver = await startReceiver((_, response, socket) => {
      const chance = Math.random();
      if (chance < 0.05) socket.destroy();
      else response.writeHead(chance < 0.1 ? 503 : 204).end();
    });
    await createWebhook(webhookClient(anyService(), tenant.key), { url: receiver.url });
    const stopHurrying = await hurryWebhooks(connection);

    const readers = stores.flatMap((storeId) => [
      followFeed(anyService, { key: tenant.key, storeId }),
      followStream(anyService, { key: tenant.key, storeId }),
    ]);
    const tried: Tried = { answered: new Map(), unanswered: new Map() };
    for (const storeId of stores) {
      // So that there is something to mark.
      expect((await menuClient(anyService(), { ...tenant, storeId }).post(numberedMenu(0, 2))).status).toBe(
        200,
      );
      count(tried.answered, `${storeId} menu.published`);
    }
    const end = performance.now() + SECONDS * 1000;
    const writers = Array.from({ length: WRITERS }, (_, writer) => {
      const storeId = stores[writer % stores.length] ?? '';
      return write(anyService, { ...tenant, storeId }, { name: String(writer), end, tried });
    });
    await Promise.all([...writers, killAtRandom(running, start, end)]);

    let told = 0;
    for (const [at, storeId] of stores.entries()) {
      const events = await readAll(anyService, { key: tenant.key, storeId });
      told += events.length;
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expectTold(events, tried, storeId);
      for (const reader of readers.slice(at * 2, at * 2 + 2)) {
        await expect
          .poll(() => reader.events.length, { timeout: 30_000 })
          .toBeGreaterThanOrEqual(events.length);
        expect(reader.events).toEqual(events);
      }
      // The lease of a process that was killed may have to run out first.
      const received = () => {
        const ofStore = eventsOf(receiver.requests).filter(({ store_id: store }) => store === storeId);
        return [...new Map(ofStore.map((event) => [event.id, event])).values()];
      };
      await expect.poll(() => received().length, { timeout: 60_000 }).toBe(events.length);
      expect(received()).toEqual(events);
    }
    for (const { stop } of readers) await stop();
    await stopHurrying();
    expect(told).toBeGreaterThan(WRITERS);
  },
  180_000 + SECONDS * 2000,
);

/** Each answered change once; of the others each once at most; nothing else. */
function expectTold(events: readonly EventBody[], { answered, unanswered }: Tried, storeId: string): void {
  const told = new Map<string, number>();
  for (const event of events) count(told, gistOf(event));
  const wrong: string[] = [];
  const ofStore = [...answered.keys(), ...unanswered.keys()].filter((gist) => gist.startsWith(storeId));
  for (const gist of new Set([...told.keys(), ...ofStore])) {
    const [least, times] = [answered.get(gist) ?? 0, told.get(gist) ?? 0];
    const most = least + (unanswered.get(gist) ?? 0);
    if (times < least || times > most) wrong.push(`${gist}: ${times} times, not ${least} to ${most}`);
  }
  expect(wrong).toEqual([]);
}

/** Changes of every kind, one after the other, each through any of the processes. */
async function write(
  anyService: () => Service,
  tenant: Tenant,
  { name, end, tried }: { name: string; end: number; tried: Tried },
): Promise<void> {
  const { storeId, key } = tenant;
  const open: { id: string; external: string }[] = [];
  const attempt = async <T>(gist: string, done: number, ask: Promise<Answer<T>>): Promise<T | undefined> => {
    const answer = await ask.catch(() => undefined);
    if (answer?.status === done) {
      count(tried.answered, `${storeId} ${gist}`);
      return answer.body;
    }
    // No answer, or that of a service that is about to end or has lost its database.
    expect([undefined, 503]).toContain(answer?.status);
    count(tried.unanswered, `${storeId} ${gist}`);
    return undefined;
  };
  for (let serial = 0; performance.now() < end; serial += 1) {
    const service = anyService();
    const external = `${name}-${serial}`;
    const kind = anyOf(KINDS);
    const order = kind === 'accept' || kind === 'update' ? open.shift() : undefined;
    if (order !== undefined && kind === 'accept') {
      const { id, external: its } = order;
      const status = 'ACCEPTED';
      await attempt(`order.status_changed ${its} ${status}`, 200, patch(service, key, id, { status }));
    } else if (order !== undefined) {
      const { id, external: its } = order;
      open.push(order);
      await attempt(
        `order.updated ${its}`,
        200,
        patch(service, key, id, { customer_comments: external, is_read: random(2) === 0 }),
      );
    } else if (kind === 'import') {
      const lines = [0, 1, 2].map((at) =>
        JSON.stringify({ store_id: storeId, ...orderRequest({ external_id: `${external}-${at}` }) }),
      );
      await attempt('orders.imported 3', 200, importLines(service, key, lines.join('\n')));
    } else if (kind === 'publish') {
      const menu = numberedMenu(1 + Number(name) * 1_000_000 + serial, 2);
      await attempt('menu.published', 200, menuClient(service, tenant).post(menu));
    } else if (kind === 'mark') {
      // The new prep_type makes it a change whatever became of the mark before.
      const body = { in_stock: random(2) === 0, prep_type: external };
      const marked = menuClient(service, tenant).manage('items/i0', { method: 'PATCH', body });
      await attempt('menu.stock_changed i0', 200, marked);
    } else if (kind === 'rename') {
      const url = `${service.url}/manage/v1/stores/${storeId}`;
      const body = { location_name: external };
      await attempt('store.updated', 200, ask(url, { method: 'PATCH', key: service.operatorKey, body }));
    } else {
      const made = takeIn(service, tenant, { external_id: external });
      const body = await attempt(`order.created ${external}`, 201, made);
      if (body !== undefined) open.push({ id: body.id, external });
    }
    await delay(random(20));
  }
}

async function killAtRandom(
  running: ServiceProcess[],
  start: () => Promise<ServiceProcess>,
  end: number,
): Promise<void> {
  for (;;) {
    await delay(500 + random(1500));
    if (performance.now() > end) return;
    const at = random(running.length);
    running[at]?.child.kill('SIGKILL');
    await running[at]?.ended;
    running[at] = await start();
  }
}

interface FollowedEvents {
  readonly events: EventBody[];
  readonly stop: () => Promise<void>;
}

/** Reads from the oldest event on, a page of any size at a time, from any process. */
function followFeed(anyService: () => Service, reader: Reader): FollowedEvents {
  const events: EventBody[] = [];
  let isOver = false;
  const follow = async () => {
    let after: string | undefined;
    while (!isOver) {
      const query = { limit: String(1 + random(40)), wait: '1', ...(after === undefined ? {} : { after }) };
      const answer = await readFeed(anyService(), reader, query).catch(() => undefined);
      if (answer?.status !== 200) continue;
      events.push(...answer.body.events);
      after = answer.body.cursor;
    }
  };
  const following = follow();
  return {
    events,
    stop: () => {
      isOver = true;
      return following;
    },
  };
}

/** The same over streams that are cut after any number of messages. */
function followStream(anyService: () => Service, reader: Reader): FollowedEvents {
  const events: EventBody[] = [];
  let stopping = new AbortController();
  let isOver = false;
  const follow = async () => {
    const first = (await readFeed(anyService(), reader, { limit: '1' })).body;
    events.push(...first.events);
    let lastEventId = first.cursor;
    while (!isOver) {
      stopping = new AbortController();
      const { signal } = stopping;
      let left = 1 + random(30);
      try {
        for await (const message of readStream(anyService(), reader, { lastEventId, signal })) {
          if (message.data !== undefined) events.push(JSON.parse(message.data) as EventBody);
          lastEventId = message.id ?? lastEventId;
          left -= 1;
          if (left === 0) break;
        }
      } catch {
        // Cut off, or the process is gone: on from the last event.
      }
      stopping.abort();
    }
  };
  const following = follow();
  return {
    events,
    stop: () => {
      isOver = true;
      stopping.abort();
      return following;
    },
  };
}

async function readAll(anyService: () => Service, reader: Reader): Promise<EventBody[]> {
  const events: EventBody[] = [];
  for (let after: string | undefined; ;) {
    const query = { limit: '1000', ...(after === undefined ? {} : { after }) };
    const { status, body } = await readFeed(anyService(), reader, query);
    expect(status).toBe(200);
    events.push(...body.events);
    after = body.cursor;
    if (!body.has_more) return events;
  }
}

/** What waits for its next attempt need not wait for seconds. */
async function hurryWebhooks(connection: pg.PoolConfig): Promise<() => Promise<void>> {
  const client = new pg.Client(connection);
  await client.connect();
  const state = { isOver: false };
  const hurry = async () => {
    while (!state.isOver) {
      await client.query('UPDATE webhook_cursors SET next_attempt_at = now() WHERE next_attempt_at > now()');
      await delay(100);
    }
  };
  const hurrying = hurry();
  return async () => {
    state.isOver = true;
    await hurrying;
    await client.end();
  };
}
