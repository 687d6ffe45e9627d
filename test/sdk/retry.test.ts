import {
  ComandaError,
  ConnectionError,
  createClient,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
} from '#sdk';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

let close: (() => void) | undefined;
afterEach(() => close?.());

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that gives these replies in turn, and keeps what it was asked: no real service is busy on demand. */
async function replying(...replies: Reply[]) {
  const asked: IncomingMessage[] = [];
  const baseUrl = await listening((request, response) => {
    const {
      status,
      headers = {},
      body = { detail: 'busy' },
    } = replies[asked.length] ?? { status: 200, body: [] };
    asked.push(request);
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  return { asked, client: createClient({ baseUrl, apiKey: 'k', longestWaitSeconds: 2 }) };
}

describe('retries', () => {
  it('wait as long as Retry-After says, then try again', async () => {
    const { asked, client } = await replying(
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 503 },
    );
    const begun = performance.now();
    expect(await client.listStores()).toEqual([]);
    expect(asked).toHaveLength(3);
    // A timer may fire within the millisecond before its time.
    expect(performance.now() - begun).toBeGreaterThan(990);
  });

  it('give up after three, with the last refusal', async () => {
    const { asked, client } = await replying(
      ...Array<Reply>(9).fill({ status: 503, headers: { 'retry-after': '0' } }),
    );
    await expect(client.listStores()).rejects.toThrow(UnavailableError);
    expect(asked).toHaveLength(4);
  });

  it('do not wait longer than allowed', async () => {
    const { asked, client } = await replying({ status: 429, headers: { 'retry-after': '3600' } });
    await expect(client.listStores()).rejects.toMatchObject({
      name: 'TooManyRequestsError',
      retryAfterSeconds: 3600,
    });
    expect(asked).toHaveLength(1);
  });

  it('repeat a POST only under an Idempotency-Key, the same one', async () => {
    const busy = { status: 503, headers: { 'retry-after': '0' } };
    const keyed = await replying(busy, { status: 201, body: { id: '1' } });
    await keyed.client.createMerchant({ brand_name: 'x' });
    const keys = keyed.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
    close?.();
    const bare = await replying(busy);
    await expect(bare.client.changeStore('s', { city: 'x' })).rejects.toThrow(UnavailableError);
    expect(bare.asked).toHaveLength(1);
  });

  it('repeat anything that met a limit, for then nothing has been done', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' } };
    const { asked, client } = await replying(busy, { status: 200, body: {} }, busy, {
      status: 200,
      body: {},
    });
    await client.changeStore('s', { city: 'x' });
    await client.createMenuConfiguration('s', { items: [] });
    expect(asked.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'POST', 'POST']);
  });

  it('end with the signal', async () => {
    const { client } = await replying({ status: 429, headers: { 'retry-after': '2' } });
    const signal = AbortSignal.timeout(100);
    await expect(client.listStores({}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('meet the limiter of the real service', async () => {
    const service = await startService({ requestsPerSecond: 0.5, requestBurst: 1 });
    const unlimited = await service.replica({ requestsPerSecond: 'off' });
    const { key } = await createTenant(unlimited);
    const once = createClient({ baseUrl: service.url, apiKey: key, retries: 0 });
    const both = await Promise.allSettled([once.listStores(), once.listStores()]);
    const refused = both.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(refused).toEqual([expect.any(TooManyRequestsError)]);
    const patient = createClient({ baseUrl: service.url, apiKey: key });
    expect(await patient.listStores()).toHaveLength(1);
    await unlimited.stop();
    await service.stop();
  });
});

describe('a call without a whole answer', () => {
  it('ends when it takes too long', async () => {
    const client = createClient({ baseUrl: await listening(() => undefined), timeoutSeconds: 0.1 });
    await expect(client.listStores()).rejects.toThrow(TimeoutError);
  });

  it.each([200, 500])('ends when the body of a %i takes too long', async (status) => {
    const baseUrl = await listening((_request, response) => void response.writeHead(status).write('['));
    const client = createClient({ baseUrl, timeoutSeconds: 0.5 });
    await expect(client.listStores()).rejects.toThrow(TimeoutError);
  });

  it.each([
    ['a value', 200],
    ['a refusal', 500],
  ])('tells of a connection that breaks in the middle of %s', async (_what, status) => {
    const client = createClient({ baseUrl: await breakingOff(status) });
    await expect(client.listStores()).rejects.toThrow(ConnectionError);
    await expect(client.listStores()).rejects.toThrow(
      /closed the connection before the response was complete/,
    );
  });

  it('tells of a connection that breaks in the middle of a stream', async () => {
    const client = createClient({ baseUrl: await breakingOff(200) });
    const lines = await client.exportOrders('s');
    await expect(lines[Symbol.asyncIterator]().next()).rejects.toThrow(ConnectionError);
    const { bytes } = await client.exportOrders('s');
    await expect(new Response(bytes).text()).rejects.toThrow(ConnectionError);
  });

  it('names the line of a stream that is broken', async () => {
    const body = '{"external_id": "é"}\n\n{"external_id":';
    const client = createClient({
      // In the smallest pieces, so that lines and characters are cut anywhere.
      baseUrl: await listening((_request, response) => {
        for (const byte of Buffer.from(body)) response.write(Buffer.of(byte));
        response.end();
      }),
    });
    const read: unknown[] = [];
    const reading = async () => {
      for await (const order of await client.exportOrders('s')) read.push(order);
    };
    await expect(reading()).rejects.toThrow(
      new ComandaError('Line 3 of the response is not JSON: {"external_id":'),
    );
    expect(read).toEqual([{ external_id: 'é' }]);
  });

  it('ends when the answer is larger than allowed', async () => {
    const baseUrl = await listening((_request, response) => response.end(`[${' '.repeat(100)}]`));
    const allowing = (largestAnswerBytes: number) =>
      createClient({ baseUrl, largestAnswerBytes }).listStores();
    expect(await allowing(102)).toEqual([]);
    await expect(allowing(101)).rejects.toThrow(ComandaError);
  });

  it('leaves the reason of an abort as it is', async () => {
    const client = createClient({
      baseUrl: await listening((_request, response) => void response.writeHead(200).write('[')),
    });
    const reason = new Error('no longer wanted');
    const stop = new AbortController();
    const answer = client.listStores({}, { signal: stop.signal });
    setTimeout(() => stop.abort(reason), 100);
    await expect(answer).rejects.toBe(reason);
  });

  it('tells of an answer that is not JSON', async () => {
    const client = createClient({
      baseUrl: await listening((_request, response) => response.end('<html>')),
    });
    await expect(client.listStores()).rejects.toThrow(ComandaError);
  });
});

function breakingOff(status: number): Promise<string> {
  return listening((_request, response) => {
    response.writeHead(status, { 'content-length': '100' });
    response.write('[', () => response.destroy());
  });
}
