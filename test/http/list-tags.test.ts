import { describe, expect, it } from 'vitest';
import { backup, restore } from '../harness/backup.js';
import { ask } from '../harness/client.js';
import { importLines, orderRequest, patch, takeIn, type OrderListBody } from '../harness/orders.js';
import { startService, useService, type Service } from '../harness/service.js';
import { createStore, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();
const replica = await service.replica();

const WEAK_TAG = /^W\/"[\w-]{22}"$/;
const listPath = ({ storeId }: Tenant, query = '') => `/v1/stores/${storeId}/orders/${query}`;
const managedPath = ({ storeId }: Tenant, query = '') => `/manage/v1/stores/${storeId}/orders${query}`;

interface Seen {
  readonly tag: string;
  readonly status: number;
  readonly text: string;
}

/** Reads a list; a poll, where a tag is given. */
async function look(at: Service, path: string, key: string, tag?: string): Promise<Seen> {
  const headers = { 'x-api-key': key, ...(tag === undefined ? {} : { 'if-none-match': tag }) };
  const answer = await fetch(`${at.url}${path}`, { headers });
  return { tag: answer.headers.get('etag') ?? '', status: answer.status, text: await answer.text() };
}

const change = (storeId: string, body: object) =>
  ask(`${service.url}/manage/v1/stores/${storeId}`, { method: 'PATCH', key: service.operatorKey, body });

describe.each([
  ['the list of orders', listPath],
  ['the list by last change', managedPath],
])('%s', (_, pathOf) => {
  it('is tagged, and not sent again to whoever has it', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    const { headers } = await ask(`${service.url}${pathOf(tenant)}`, { key: tenant.key });
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(WEAK_TAG);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    for (const given of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await fetch(`${replica.url}${pathOf(tenant)}`, {
          method,
          headers: { 'x-api-key': tenant.key, 'if-none-match': given },
        });
        expect([given, again.status, await again.text()]).toEqual([given, 304, '']);
        expect(again.headers.get('etag')).toBe(tag);
        expect(again.headers.get('cache-control')).toBe('private, no-cache');
        expect(again.headers.get('content-type')).toBeNull();
      }
    }
    const other = await look(service, pathOf(tenant), tenant.key, '"other"');
    expect(other).toMatchObject({ status: 200, tag });
  });

  it('has a new tag after every change of the store, and none by one of another', async () => {
    const tenant = await createTenant(service);
    const other = { ...tenant, storeId: await createStore(service, tenant.merchantId) };
    const { body: order } = await takeIn(service, tenant);
    const line = JSON.stringify({ store_id: tenant.storeId, ...orderRequest() });
    const changes: [string, () => Promise<unknown>][] = [
      ['an order', () => takeIn(replica, tenant)],
      ['a status', () => patch(replica, tenant.key, order.id, { status: 'ACCEPTED' })],
      ['a mark', () => patch(replica, tenant.key, order.id, { is_read: true })],
      ['a comment', () => patch(replica, tenant.key, order.id, { customer_comments: 'No sugar' })],
      ['an import', () => importLines(replica, tenant.key, line)],
      ['a name', () => change(tenant.storeId, { name: { translations: { en: 'New' } } })],
      ['an external_id', () => change(tenant.storeId, { external_id: 'S-1' })],
    ];
    let { tag } = await look(service, pathOf(tenant), tenant.key);
    const seen = new Set([tag]);
    for (const [what, make] of changes) {
      await make();
      const after = await look(service, pathOf(tenant), tenant.key, tag);
      expect([what, after.status, seen.has(after.tag)]).toEqual([what, 200, false]);
      ({ tag } = after);
      seen.add(tag);
      expect((await look(service, pathOf(tenant), tenant.key, tag)).status).toBe(304);
    }
    await takeIn(service, other);
    await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
    expect((await look(service, pathOf(tenant), tenant.key, tag)).status).toBe(304);
  });

  it('answers a poll without news before the list is built', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    const { tag } = await look(service, pathOf(tenant), tenant.key);
    await service.db.transaction(async (tx) => {
      await tx.query({ name: 'hold-orders', text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' });
      expect((await look(service, pathOf(tenant), tenant.key, tag)).status).toBe(304);
    });
  });

  it('tells nobody about what the key may not see', async () => {
    const [mine, theirs] = [await createTenant(service), await createTenant(service)];
    const { tag } = await look(service, pathOf(theirs), theirs.key);
    for (const given of [tag, '*']) {
      const { status, text } = await look(service, pathOf(theirs), mine.key, given);
      expect([status, text]).toEqual([404, '{"detail":"Store not found"}']);
      expect((await look(service, pathOf(theirs), 'wrong', given)).status).toBe(401);
    }
    const wrong = await look(service, pathOf(theirs, '?status=EATEN'), theirs.key, '*');
    expect(wrong.status).toBe(422);
  });

  it('is gone with its store', async () => {
    const tenant = await createTenant(service);
    const { tag } = await look(service, pathOf(tenant), tenant.key);
    await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, {
      method: 'DELETE',
      key: service.operatorKey,
    });
    expect((await look(replica, pathOf(tenant), tenant.key, tag)).status).toBe(404);
  });
});

describe('the tag of a list', () => {
  it('is of one query and one store', async () => {
    const tenant = await createTenant(service);
    const other = { ...tenant, storeId: await createStore(service, tenant.merchantId) };
    const queries = [
      '',
      '?page_size=10',
      '?page_index=2',
      '?status=READY',
      '?customer_name=a',
      '?phone_number=1',
    ];
    const ranges = ['?start_time=2026-01-01T00:00:00Z', '?end_time=2026-01-01T00:00:00Z'];
    const paths = [...queries, ...ranges].map((query) => listPath(tenant, query));
    const tags = new Set<string>();
    for (const path of [...paths, listPath(other)]) tags.add((await look(service, path, tenant.key)).tag);
    expect(tags.size).toBe(paths.length + 1);
    const same = await look(service, listPath(tenant, '?page_size=20&page_index=1&extra=1'), tenant.key);
    expect(tags.has(same.tag)).toBe(true);
  });

  it('holds also for a page with orders that are read while it is sent', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant, { items: [{ note: 'x'.repeat(100_000) }] });
    const { tag, text } = await look(service, listPath(tenant), tenant.key);
    expect((JSON.parse(text) as OrderListBody).count).toBe(1);
    expect((await look(service, listPath(tenant), tenant.key, tag)).status).toBe(304);
  });

  it('is another after a failover that has lost the last event, though the next bears its number', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    const { tag } = await look(service, listPath(tenant), tenant.key);
    const lose = (text: string) =>
      service.db.withClient(async (client) => client.query(text, [await storeKeyOf(service, tenant)]));
    await lose(`DELETE FROM events e USING event_counters c
                WHERE e.store_key = $1 AND c.store_key = $1 AND e.sequence = c.last_sequence`);
    await lose('UPDATE event_counters SET last_sequence = last_sequence - 1 WHERE store_key = $1');
    await takeIn(service, tenant);
    expect((await look(service, listPath(tenant), tenant.key, tag)).status).toBe(200);
  });

  it('is another after a restore, though the events have the same numbers', async () => {
    const from = await startService();
    const into = await startService();
    try {
      const tenant = await createTenant(from);
      const archive = await backup(from);
      await takeIn(from, tenant, { external_id: 'before' });
      const { tag } = await look(from, listPath(tenant), tenant.key);
      expect((await restore(into, archive)).status).toBe(200);
      await takeIn(into, tenant, { external_id: 'after' });
      const { status, text } = await look(into, listPath(tenant), tenant.key, tag);
      expect([status, (JSON.parse(text) as OrderListBody).count]).toEqual([200, 1]);
    } finally {
      await into.stop();
      await from.stop();
    }
  });
});

const WRITES = Number(process.env['LIST_TAG_WRITES'] ?? 12);

it('never holds back a change, while two processes write and two are polled', async () => {
  const tenant = await createTenant(service);
  const processes = [service, replica];
  const poll = async (at: Service, query: string, before: Seen): Promise<Seen> => {
    const now = await look(at, listPath(tenant, query), tenant.key, before.tag);
    if (now.status === 304) return before;
    expect(now.status).toBe(200);
    return now;
  };
  /** Each writes through one process, and must then find what it wrote through the other. */
  const writeAndPoll = async (nth: number): Promise<void> => {
    const [near = service, far = service] = nth % 2 === 0 ? processes : [...processes].reverse();
    let all: Seen = { tag: '', status: 0, text: '' };
    let ready = all;
    for (let write = 0; write < WRITES; write += 1) {
      const { body } = await takeIn(near, tenant);
      all = await poll(far, '?page_size=100', all);
      expect(all.text).toContain(body.id);
      await patch(near, tenant.key, body.id, { status: 'ACCEPTED' });
      await patch(near, tenant.key, body.id, { status: 'READY' });
      ready = await poll(far, '?page_size=100&status=READY', ready);
      expect(ready.text).toContain(body.id);
      const line = { store_id: tenant.storeId, external_id: `import-${nth}-${write}`, ...orderRequest() };
      await importLines(near, tenant.key, JSON.stringify(line));
      const { count } = JSON.parse(all.text) as OrderListBody;
      all = await poll(far, '?page_size=100', all);
      expect((JSON.parse(all.text) as OrderListBody).count).toBeGreaterThan(count);
    }
  };
  await Promise.all([0, 1, 2, 3].map(writeAndPoll));
});
