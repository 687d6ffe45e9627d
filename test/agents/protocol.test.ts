import { request } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callMessage, connectAssistant, sendMessage } from '../harness/assistant.js';
import { ask } from '../harness/client.js';
import { coffeeMenu, openForGuests } from '../harness/guest.js';
import { startService, useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();
const address = `${service.url}/mcp`;
const store = await openForGuests(service);
const place = `${service.url}/guest/mcp/${store.place.code}`;
const key = { 'x-api-key': store.key };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the protocol', () => {
  it.each(['auto', 'legacy'] as const)('works with the official client (%s)', async (mode) => {
    const { client, tools, call } = await connectAssistant(address, key, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    expect(client.getServerVersion()).toMatchObject({ name: 'comanda' });
    // Nothing is remembered between two messages, so nobody is told of changes.
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect((await tools()).length).toBeGreaterThan(10);
    expect(await call('list_stores')).toMatchObject({ isError: false });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const { body } = await sendMessage(address, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, key);
    expect(body.result).toMatchObject({ protocolVersion, capabilities: { tools: {} } });
  });

  it('refuses a protocol version that it does not know', async () => {
    const answer = await sendMessage(address, LIST, { ...key, 'mcp-protocol-version': '1999-01-01' });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32000 } } });
  });

  it('takes the key as a header of its own or as a bearer token', async () => {
    const bearer = { authorization: `Bearer ${store.key}` };
    expect((await sendMessage(address, LIST, bearer)).status).toBe(200);
    const asBearer = await sendMessage(address, callMessage('list_stores', {}), bearer);
    expect(asBearer.body.result?.structuredContent).toMatchObject({ stores: [{ id: store.storeId }] });
    expect(await sendMessage(address, LIST)).toMatchObject({
      status: 401,
      body: { detail: 'Not authenticated' },
    });
    expect(await sendMessage(address, LIST, { authorization: 'Bearer nonsense' })).toMatchObject({
      status: 401,
      body: { detail: 'Invalid API key' },
    });
  });

  it('refuses batches, other types, broken JSON, other methods and bodies of 10 MB', async () => {
    expect(await sendMessage(address, [LIST, LIST], key)).toMatchObject({
      status: 400,
      body: { detail: 'Batches are not accepted: send one message' },
    });
    expect((await sendMessage(address, '{', key)).status).toBe(422);
    expect((await sendMessage(address, LIST, { ...key, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await ask(address, { key: store.key })).status).toBe(405);
    const large = callMessage('search_menu', { store_id: store.storeId, text: 'x'.repeat(10 * 1024 * 1024) });
    expect((await sendMessage(address, large, key)).status).toBe(413);
    const guestLarge = callMessage('search_menu', { text: 'x'.repeat(65 * 1024) });
    expect((await sendMessage(place, guestLarge)).status).toBe(413);
  });

  it('serves pages of its own origin and of those that are allowed, and no other', async () => {
    const from = (origin: string) =>
      sendMessage(address, LIST, { ...key, origin }).then(({ status }) => status);
    expect(await from(service.url)).toBe(200);
    expect(await from('https://till.example')).toBe(200);
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    // A name whose DNS was pointed here says the same in Host and Origin.
    const port = new URL(service.url).port;
    const rebound = { ...key, host: `evil.example:${port}`, origin: `http://evil.example:${port}` };
    expect(await statusWithHost(rebound)).toBe(403);
    expect((await sendMessage(place, LIST, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('holds no stream open', async () => {
    const version = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    };
    const params = { _meta, notifications: { toolsListChanged: true } };
    const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    const { status, body } = await sendMessage(address, message, { ...key, ...version });
    expect({ status, error: body.error?.message }).toEqual({
      status: 200,
      error: 'Subscription limit reached',
    });
  });

  it('counts against the rate of the key', async () => {
    const limited = await startService({ requestsPerSecond: 1, requestBurst: 3 });
    try {
      const asOperator = { 'x-api-key': limited.operatorKey };
      const statuses: number[] = [];
      for (let i = 0; i < 5; i += 1)
        statuses.push((await sendMessage(`${limited.url}/mcp`, LIST, asOperator)).status);
      expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
      expect(statuses).toContain(429);
    } finally {
      await limited.stop();
    }
  });

  it('can be switched off', async () => {
    const silent = await startService({}, { servesAgents: false });
    try {
      expect((await sendMessage(`${silent.url}/mcp`, LIST)).status).toBe(404);
      expect((await sendMessage(`${silent.url}/guest/mcp/x`, LIST)).status).toBe(404);
      expect((await ask<string>(`${silent.url}/llms.txt`)).body).not.toContain('/mcp');
    } finally {
      await silent.stop();
    }
  });
});

/** fetch sends a Host of its own. */
function statusWithHost(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-type': 'application/json' };
    const sent = request(address, { method: 'POST', headers: all }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end(JSON.stringify(LIST));
  });
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Record<string, unknown>;
    readonly required: readonly string[];
  };
}

async function listTools(where: string, headers: Record<string, string>): Promise<ListedTool[]> {
  const { body } = await sendMessage(where, LIST, headers);
  return (body.result as unknown as { tools: ListedTool[] }).tools;
}

it('shows no other merchant anything, with any tool', async () => {
  const other = await createTenant(service);
  const foreign = { 'x-api-key': other.key };
  const { body: order } = await store.manage<{ id: string }>('POST', '/orders', {
    customer: { name: 'Ana', phone: '1' },
    items: [],
    price: 1,
    tax: 0,
    ready_by: '2027-01-01T12:30:00Z',
  });
  const args: Record<string, unknown> = {
    store_id: store.storeId,
    order_id: order.id,
    external_id: 'coffee',
    in_stock: false,
    items: [{ external_id: 'coffee', quantity: 1 }],
    ...{ price: 100, tax: 10, customer: { name: '', phone: '' }, idempotency_key: 'k', status: 'ACCEPTED' },
    changes: [{ kind: 'item', external_id: 'coffee', set: { price: 1 } }],
    pause: {},
    proposal: 'x',
  };
  const tools = await listTools(address, foreign);
  expect(tools).toHaveLength(15);
  for (const { name, inputSchema } of tools) {
    const taken = Object.keys(inputSchema.properties).filter(
      (one) => one in args && !isOfTheOrder(name, one),
    );
    const own = Object.fromEntries(taken.map((one) => [one, args[one]]));
    const { body } = await sendMessage(address, callMessage(name, own), foreign);
    const found = body.result?.structuredContent;
    if (name === 'list_stores') expect(JSON.stringify(found)).not.toContain(store.storeId);
    else if (name === 'publish_proposal') expect(body.result?.isError).toBe(true);
    else
      expect({ name, found }).toEqual({
        name,
        found: { detail: expect.stringMatching(/^(Store|Order) not found$/) as string },
      });
  }
  expect((await store.menu.flat<{ items: object[] }>()).body.items).toEqual(
    coffeeMenu().items.map((one) => expect.objectContaining(one) as object),
  );
});

/** An external_id of an order is its own. */
const isOfTheOrder = (tool: string, name: string) => tool === 'create_order' && name === 'external_id';

it('answers 1,000 random calls without failing once, each below 64 KiB', async () => {
  const surfaces = [
    { where: address, headers: key, tools: await listTools(address, key) },
    { where: place, headers: {}, tools: await listTools(place, {}) },
  ];
  const ids = fc.constantFrom(
    store.storeId,
    store.place.id,
    'coffee',
    'oat',
    '',
    '..',
    '%00',
    '\ud800',
    'x'.repeat(5_000),
  );
  const value = fc.oneof(
    ids,
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      'PENDING',
      'item',
      'day',
      'end_of_day',
      '2026-01-01',
      '2026-01-05T12:30:00Z',
      '20',
      '99999999',
    ),
    fc.constantFrom(
      [{ external_id: 'coffee', quantity: 1 }],
      [{ kind: 'item', external_id: 'coffee', set: {} }],
      {
        price: 100,
        tax: 10,
      },
    ),
  );
  const drawn = fc.sample(
    fc.record({
      guest: fc.boolean(),
      pick: fc.nat(),
      values: fc.array(value, { minLength: 16, maxLength: 16 }),
      skip: fc.array(fc.nat(5), { minLength: 16, maxLength: 16 }),
      more: fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), { freq: 8 }),
    }),
    { numRuns: 1_000, seed: 45 },
  );
  let answered = 0;
  for (const { guest, pick, values, skip, more } of drawn) {
    const { where, headers, tools } = surfaces[guest ? 1 : 0] ?? { where: '', headers: {}, tools: [] };
    const tool = tools[pick % tools.length];
    if (tool === undefined) throw new Error('There are no tools');
    const args = Object.fromEntries(
      Object.keys(tool.inputSchema.properties).flatMap((name, i) =>
        (skip[i] ?? 0) > 2 && !tool.inputSchema.required.includes(name)
          ? []
          : [[name, name === 'store_id' && skip[i] !== 0 ? store.storeId : values[i]]],
      ),
    );
    const answer = await sendMessage(where, callMessage(tool.name, { ...args, ...more }), headers);
    expect({ args, status: answer.status, error: answer.body.error, bytes: answer.bytes < 65_536 }).toEqual({
      args,
      status: 200,
      error: undefined,
      bytes: true,
    });
    expect(answer.body.result?.structuredContent?.['detail']).not.toBe('Internal Server Error');
    if (answer.body.result?.isError !== true) answered += 1;
  }
  expect(answered).toBeGreaterThan(50);
  const { body: metrics } = await ask<string>(`${service.url}/metrics`, { key: service.operatorKey });
  expect(metrics).not.toMatch(/status="5\d\d"/);
});
