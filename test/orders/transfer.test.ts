import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { exampleIds } from '../../src/support/example-ids.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService({ importLineBytes: 4096 });

const line = (storeId: string, more: object = {}) =>
  JSON.stringify({ store_id: storeId, ...orderRequest(more) });
const exported = async ({ storeId, key }: Tenant) => {
  const { status, body, headers } = await ask<string>(
    `${service.url}/manage/v1/stores/${storeId}/orders/export`,
    {
      key,
    },
  );
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  return body;
};

describe('POST /manage/v1/orders/import', () => {
  it('creates what is new, counts what exists, and refuses a line without its neighbours', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const lines = [
      line(mine.storeId, { external_id: 'a' }),
      '{"broken',
      '',
      line(mine.storeId, { external_id: 'a', price: 5 }),
      line(other.storeId),
      line('nowhere'),
      line(mine.storeId, { price: -1, tax: 'x' }),
      line(mine.storeId, { customer_comments: 'x'.repeat(5000) }),
      line(mine.storeId, { completed_at: '2026-01-01' }),
      '[]',
      line(mine.storeId, { status: 'FULFILLED', completed_at: '2026-01-01', is_read: true, in_pos: true }),
      line(mine.storeId, { reason: 'too_busy', place: { id: 'x', label: '', kind: 'boat' } }),
      line(mine.storeId, { reason: 'too_busy' }),
      line(mine.storeId, { is_raed: true }),
    ];
    const { status, body } = await importLines(service, mine.key, lines.join('\r\n'));
    expect([status, body]).toMatchObject([
      200,
      {
        created: 2,
        existing: 1,
        refused: 10,
        errors: [
          { line: 2, detail: [{ type: 'json_invalid', loc: ['body', 8] }] },
          { line: 5, detail: 'Store not found' },
          { line: 6, detail: 'Store not found' },
          {
            line: 7,
            detail: [
              { type: 'greater_than_equal', loc: ['body', 'price'] },
              { type: 'int_type', loc: ['body', 'tax'] },
            ],
          },
          { line: 8, detail: 'Line longer than 4096 bytes' },
          { line: 9, detail: [{ type: 'value_error', loc: ['body', 'completed_at'] }] },
          { line: 10, detail: [{ type: 'model_attributes_type', loc: ['body'] }] },
          {
            line: 12,
            detail: [
              { type: 'value_error', loc: ['body', 'place', 'id'] },
              { type: 'string_too_short', loc: ['body', 'place', 'label'] },
              { type: 'enum', loc: ['body', 'place', 'kind'] },
            ],
          },
          { line: 13, detail: [{ type: 'value_error', loc: ['body', 'reason'] }] },
          {
            line: 14,
            detail: [
              {
                type: 'extra_forbidden',
                loc: ['body', 'is_raed'],
                msg: "Extra inputs are not permitted; did you mean 'is_read'?",
              },
            ],
          },
        ],
      },
    ]);
    const { body: page } = await list(service, mine);
    expect(page.count).toBe(2);
    expect(page.order_result_list).toContainEqual(
      expect.objectContaining({ is_read: true, in_pos: true, completed_at: '2026-01-01T00:00:00.000Z' }),
    );
    expect((await list(service, other)).body.count).toBe(0);
  });

  it('takes gzip, any number of chunks and several stores, and shows them in counts and searches', async () => {
    const [one, two] = [await createTenant(service), await createTenant(service)];
    const lines = Array.from({ length: 12_000 }, (_, i) =>
      line(i % 3 === 0 ? one.storeId : two.storeId, {
        external_id: `i${i}`,
        created_at: new Date(Date.UTC(2026, 0, 1) + i * 600_000).toISOString(),
        customer: { name: i % 100 === 0 ? 'Quixada' : 'Ana', phone: String(5_550_000 + i) },
      }),
    );
    const packed = gzipSync(lines.join('\n'));
    const headers = { 'content-encoding': 'gzip' };
    const first = await importLines(service, service.operatorKey, packed, headers);
    expect(first.body).toEqual({ created: 12_000, existing: 0, refused: 0, errors: [] });
    const again = await importLines(service, service.operatorKey, packed, headers);
    expect(again.body).toEqual({ created: 0, existing: 12_000, refused: 0, errors: [] });
    expect((await list(service, one)).body.count).toBe(4_000);
    expect((await list(service, two, 'customer_name=QUIXADA')).body.count).toBe(80);
    expect((await list(service, two, 'phone_number=5561999')).body.count).toBe(1);
    expect((await list(service, two, 'page_size=100&page_index=80')).body.order_result_list).toHaveLength(
      100,
    );
  });

  it('refuses the lines of a store that is deleted meanwhile, and goes on with the rest', async () => {
    const [doomed, other] = [await createTenant(service), await createTenant(service)];
    const key = service.operatorKey;
    const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
    const sent = request(`${service.url}/manage/v1/orders/import`, { method: 'POST', headers });
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write('x\n');
    // Enough that they are written while the import goes on, so that it has looked the store up before.
    for (let i = 0; i < 5_000; i += 1) sent.write(`${line(doomed.storeId)}\n`);
    await expect.poll(async () => (await list(service, doomed)).body.count, { timeout: 60_000 }).toBe(5_000);
    const store = `${service.url}/manage/v1/stores/${doomed.storeId}?force=true`;
    expect((await ask(store, { method: 'DELETE', key })).status).toBe(204);
    sent.end([doomed, other, doomed, other].map(({ storeId }) => line(storeId)).join('\n'));
    const [response] = await answer;
    const gone = (number: number) => ({ line: number, detail: 'Store not found' });
    expect([response.statusCode, await readJson(response)]).toMatchObject([
      200,
      {
        created: 5_002,
        existing: 0,
        refused: 3,
        errors: [{ line: 1, detail: [{ type: 'json_invalid' }] }, gone(5_002), gone(5_004)],
      },
    ]);
    expect((await list(service, other)).body.count).toBe(2);
  });

  it('reports the first hundred refusals and counts all', async () => {
    const { key } = await createTenant(service);
    const { body } = await importLines(service, key, 'x\n'.repeat(1000));
    expect([body.refused, body.errors.length, body.errors.at(-1)?.line]).toEqual([1000, 100, 100]);
  });

  it('takes an empty body for an empty import', async () => {
    const { key } = await createTenant(service);
    expect((await importLines(service, key, '')).body).toEqual({
      created: 0,
      existing: 0,
      refused: 0,
      errors: [],
    });
  });

  it('needs orders:write and newline-delimited JSON, undamaged', async () => {
    const tenant = await createTenant(service);
    const reader = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    expect((await importLines(service, reader.key, line(tenant.storeId))).status).toBe(403);
    const json = { 'content-type': 'application/json' };
    expect((await importLines(service, tenant.key, line(tenant.storeId), json)).status).toBe(415);
    const gzip = { 'content-encoding': 'gzip' };
    expect((await importLines(service, tenant.key, 'not gzip', gzip)).status).toBe(422);
    const cut = gzipSync(line(tenant.storeId)).subarray(0, -10);
    expect((await importLines(service, tenant.key, cut, gzip)).status).toBe(422);
  });

  it('keeps a restricted key to its stores', async () => {
    const tenant = await createTenant(service);
    const other = await createTenant(service);
    const wanted = {
      merchant_id: tenant.merchantId,
      store_ids: [tenant.storeId],
      permissions: ['orders:write'],
    };
    const { key } = await createKey(service, wanted);
    const { body } = await importLines(service, key, `${line(tenant.storeId)}\n${line(other.storeId)}\n`);
    expect([body.created, body.refused]).toEqual([1, 1]);
  });

  it('gives up on a sender that falls silent', async () => {
    const { key, storeId } = await createTenant(service);
    const hasty = await service.replica({ importIdleSeconds: 1 });
    onTestFinished(() => hasty.stop());
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        `${hasty.url}/manage/v1/orders/import`,
        { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' } },
        (answer) => resolve(answer.statusCode),
      );
      sent.on('error', reject);
      sent.write(`${line(storeId)}\n`);
    });
    expect(status).toBe(408);
  });
});

/** An import that has sent a line and not said whether more will come. */
async function beginImport({ storeId, key }: Tenant) {
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson', expect: '100-continue' };
  const sent = request(`${service.url}/manage/v1/orders/import`, { method: 'POST', headers });
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(`${line(storeId)}\n`);
  // Asked for after the import, and answered only once its key has been checked too.
  await ask(`${service.url}/v1/stores/${storeId}`, { key });
  return { end: () => sent.end(), leave: () => sent.destroy(), status };
}

describe('imports at the same time', () => {
  it('are two of a merchant; the next waits for one of them, and nobody else does', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const [first, second] = [await beginImport(mine), await beginImport(mine)];
    let isDone = false;
    const third = importLines(service, mine.key, line(mine.storeId)).finally(() => (isDone = true));
    const theirs = await importLines(service, other.key, line(other.storeId));
    expect([theirs.status, theirs.body.created, isDone]).toEqual([200, 1, false]);
    first.end();
    expect(await first.status).toBe(200);
    expect((await third).body.created).toBe(1);
    second.end();
    expect(await second.status).toBe(200);
  });

  it('that nobody waits for any more make room', async () => {
    const mine = await createTenant(service);
    const begun = [await beginImport(mine), await beginImport(mine), await beginImport(mine)];
    for (const { status } of begun) status.catch(() => undefined);
    for (const { leave } of begun) leave();
    expect((await importLines(service, mine.key, line(mine.storeId))).body.created).toBe(1);
  });

  it('of one merchant, however many, hold up neither reads nor imports of another', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const { body: order } = await takeIn(service, other);
    const many = gzipSync(Array.from({ length: 1_000 }, () => line(mine.storeId)).join('\n'));
    let done = 0;
    const imports = Array.from({ length: 20 }, async () => {
      const { body } = await importLines(service, mine.key, many, { 'content-encoding': 'gzip' });
      done += 1;
      return body.created;
    });
    for (let round = 0; round < 5; round += 1)
      expect((await ask(`${service.url}/v1/orders/${order.id}`, { key: other.key })).status).toBe(200);
    expect((await importLines(service, other.key, line(other.storeId))).body.created).toBe(1);
    expect(done).toBeLessThan(imports.length);
    expect(await Promise.all(imports)).toEqual(imports.map(() => 1_000));
  });
});

/** An export whose client reads nothing yet. */
async function beginExport({ storeId, key }: Tenant): Promise<IncomingMessage> {
  const sent = request(`${service.url}/manage/v1/stores/${storeId}/orders/export`, {
    headers: { 'x-api-key': key },
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

describe('exports at the same time', () => {
  it('are two of a merchant; the next waits for one of them and is no entry until then, and nobody else waits', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    for (let i = 0; i < 16; i += 1)
      await takeIn(service, mine, { items: [{ external_id: 'a', note: 'x'.repeat(700_000) }] });
    const audited = async () => {
      const path = `${service.url}/manage/v1/audit?type=orders.exported&store_id=${mine.storeId}`;
      return (await ask<{ entries: unknown[] }>(path, { key: service.operatorKey })).body.entries.length;
    };
    const [first, second] = [await beginExport(mine), await beginExport(mine)];
    let isBegun = false;
    const third = beginExport(mine).finally(() => (isBegun = true));
    expect(await exported(other)).toBe('');
    expect([isBegun, await audited()]).toEqual([false, 2]);
    first.destroy();
    expect([(await third).statusCode, await audited()]).toEqual([200, 3]);
    second.destroy();
    (await third).destroy();
  });
});

describe('GET /manage/v1/stores/{store_id}/orders/export', () => {
  it('gives back what the import takes, oldest first', async () => {
    const [from, to] = [await createTenant(service), await createTenant(service)];
    const lines = [
      { external_id: 'b', created_at: '2026-02-01T00:00:00.000Z', customer_comments: 'tab\there "x" \\' },
      {
        created_at: '2026-01-01T00:00:00.000Z',
        status: 'REJECTED',
        completed_at: '2026-01-02T00:00:00.000Z',
        reason: 'too_busy',
        place: { id: exampleIds.place, label: 'Table\t7', kind: 'table' },
      },
    ];
    await importLines(service, from.key, lines.map((more) => line(from.storeId, more)).join('\n'));
    const text = await exported(from);
    const parsed = text
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as unknown);
    const common = { store_id: from.storeId, is_read: false, in_pos: false };
    expect(parsed).toEqual([
      { ...orderRequest(lines[1]), ...common },
      { ...orderRequest(lines[0]), ...common, status: 'PENDING' },
    ]);
    const moved = text.replaceAll(from.storeId, to.storeId);
    expect((await importLines(service, to.key, moved)).body).toMatchObject({ created: 2, refused: 0 });
    expect((await exported(to)).replaceAll(to.storeId, from.storeId)).toBe(text);
  });

  it('shows each order as it now is, more than one group of them, and nothing for an empty store', async () => {
    const tenant = await createTenant(service);
    expect(await exported(tenant)).toBe('');
    const lines = Array.from({ length: 2_500 }, (_, i) => line(tenant.storeId, { external_id: `x${i}` }));
    await importLines(service, tenant.key, lines.join('\n'));
    const { body } = await takeIn(service, tenant, { created_at: '2020-01-01' });
    await patch(service, tenant.key, body.id, { status: 'REJECTED' });
    const text = await exported(tenant);
    expect(text.trimEnd().split('\n')).toHaveLength(2_501);
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toMatchObject({ status: 'REJECTED' });
  });
});
