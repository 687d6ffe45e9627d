import { createClient, TimeoutError, TooManyRequestsError, UnavailableError } from '#sdk';
import { createServer, type IncomingMessage } from 'node:http';
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

/** A server that gives these replies in turn, and keeps what it was asked: no real service is busy on demand. */
async function replying(...replies: Reply[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const {
      status,
      headers = {},
      body = { detail: 'busy' },
    } = replies[asked.length] ?? { status: 200, body: [] };
    asked.push(request);
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

describe('timeouts', () => {
  it('end a call that takes too long', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, timeoutSeconds: 0.1 });
    await expect(client.listStores()).rejects.toThrow(TimeoutError);
  });
});
