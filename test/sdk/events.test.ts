import {
  AuthenticationError,
  ComandaError,
  ConnectionError,
  createClient,
  GoneError,
  TimeoutError,
  type EventsOptions,
  type StoreEvent,
} from '#sdk';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(answer: RequestListener, port = 0): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const eventOf = (sequence: number) => ({
  ...{ id: `evt_${sequence}`, type: 'orders.imported', timestamp: '2026-11-15T12:00:00.000Z', store_id: 's' },
  ...{ sequence, cursor: `c${sequence}`, data: { created: sequence, key_id: 'k' } },
});

const numberOf = (cursor: string) => Number(cursor.slice(1));

/** Speaks the feed and the stream, and breaks its streams whenever it is told to: no real service does so on demand. */
async function standIn({ hasHappened = 0 } = {}) {
  const asked: { path: string; lastEventId: string | undefined }[] = [];
  const streams = new Set<ServerResponse>();
  let last = hasHappened;
  const send = (stream: ServerResponse, sequence: number, cut = Infinity) => {
    const { cursor, type, ...more } = eventOf(sequence);
    const data = JSON.stringify({ ...more, type, cursor });
    const text = `id: ${cursor}\nevent: ${type}\ndata: ${data}\n\n`;
    stream.write(text.slice(0, cut));
    if (cut < text.length) drop(stream);
  };
  const drop = (stream: ServerResponse) => {
    streams.delete(stream);
    stream.socket?.end();
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://x');
    const lastEventId = request.headers['last-event-id'] as string | undefined;
    asked.push({ path: request.url ?? '', lastEventId });
    const after = lastEventId ?? url.searchParams.get('after') ?? 'c0';
    const from = after === 'now' ? last : numberOf(after);
    if (!url.pathname.endsWith('/stream')) {
      const limit = Number(url.searchParams.get('limit') ?? 100);
      const events = Array.from({ length: Math.min(limit, last - from) }, (_, i) => eventOf(from + i + 1));
      const cursor = `c${from + events.length}`;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ events, cursor, has_more: from + events.length < last }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 3000\n\n: hello\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    for (let sequence = from + 1; sequence <= last; sequence += 1) send(response, sequence);
  };
  const url = await listening(answer);
  return {
    url,
    asked,
    streams,
    /** An event happens, and every stream gets it, or the first so many characters of it and no more. */
    happen: (cut?: number) => {
      last += 1;
      for (const stream of [...streams]) send(stream, last, cut);
    },
    cutAll: () => {
      for (const stream of [...streams]) drop(stream);
    },
    untilWatched: async () => {
      while (streams.size === 0) await delay(5);
    },
  };
}

const as = (baseUrl: string) => createClient({ baseUrl, apiKey: 'k', retries: 0 });

async function read(baseUrl: string, count: number, options: EventsOptions = {}): Promise<number[]> {
  const sequences: number[] = [];
  for await (const event of as(baseUrl).events(options)) {
    sequences.push(event.sequence);
    if (sequences.length === count) break;
  }
  return sequences;
}

describe('events', () => {
  it('come from now on, live', async () => {
    const service = await standIn({ hasHappened: 3 });
    const reading = read(service.url, 2);
    await service.untilWatched();
    service.happen();
    service.happen();
    expect(await reading).toEqual([4, 5]);
  });

  it('are whole', async () => {
    const service = await standIn({ hasHappened: 1 });
    const first = await as(service.url).events({ after: 'c0' }).next();
    expect(first).toEqual({ done: false, value: eventOf(1) });
  });

  it('come from the oldest that is kept, or after a cursor', async () => {
    const service = await standIn({ hasHappened: 2_500 });
    const all = await read(service.url, 2_500, { after: 'start' });
    expect(all).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1));
    expect(await read(service.url, 2, { after: 'c2400' })).toEqual([2401, 2402]);
  });

  it('are asked for as wanted', async () => {
    const service = await standIn({ hasHappened: 1 });
    const wanted = {
      storeId: 'a/b',
      types: ['order.created', 'menu.published'],
      includeOrder: true,
    } as const;
    await read(service.url, 1, { ...wanted, after: 'start' });
    await read(service.url, 1, { ...wanted, after: 'c0' });
    const query = 'types=order.created%2Cmenu.published&include=order';
    expect(service.asked).toEqual([
      { path: `/manage/v1/stores/a%2Fb/events?${query}&limit=1000`, lastEventId: undefined },
      { path: `/manage/v1/stores/a%2Fb/events/stream?${query}`, lastEventId: 'c0' },
    ]);
  });

  it('go on by themselves wherever the stream is cut, none twice and none left out', async () => {
    const service = await standIn();
    const reading = read(service.url, 200);
    await service.untilWatched();
    for (let made = 0; made < 200; made += 1) {
      const isCut = made % 25 === 7;
      if (isCut) await service.untilWatched();
      service.happen(isCut ? (made * 13) % 150 : undefined);
      if (made % 50 === 20) service.cutAll();
      if (made % 10 === 0) await delay(5);
    }
    expect(await reading).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    expect(service.asked.length).toBeGreaterThan(8);
  }, 60_000);

  it('lose nothing when the first connection breaks before the first event', async () => {
    const service = await standIn({ hasHappened: 5 });
    const reading = read(service.url, 1);
    await service.untilWatched();
    service.cutAll();
    service.happen();
    expect(await reading).toEqual([6]);
  });

  it('go on from where the service says that it is, also without an event', async () => {
    const asked: (string | undefined)[] = [];
    const url = await listening((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (asked.length === 1) response.end('id: c7\n\n');
      else response.write(`id:c8\r\ndata:${JSON.stringify(eventOf(8))}\r\n\r\n`);
    });
    expect(await read(url, 1, { after: 'c1' })).toEqual([8]);
    expect(asked).toEqual(['c1', 'c7']);
  });

  it('end with the signal, and the connection with them', async () => {
    const service = await standIn();
    const reason = new Error('enough');
    const stop = new AbortController();
    const reading = read(service.url, 1, { signal: stop.signal });
    await service.untilWatched();
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    while (service.streams.size > 0) await delay(5);
  });

  it('end with the signal also between two tries', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const reading = read('http://127.0.0.1:2', 1, {
      signal: stop.signal,
      onReconnect: () => setTimeout(() => stop.abort(reason), 10),
    });
    await expect(reading).rejects.toBe(reason);
  });

  it('let the connection go when one stops reading', async () => {
    const service = await standIn({ hasHappened: 9 });
    expect(await read(service.url, 2, { after: 'c0' })).toEqual([1, 2]);
    while (service.streams.size > 0) await delay(5);
  });

  it('seek the service again while it is away, busy or broken', async () => {
    const replies = [503, 500, 429];
    const reasons: Error[] = [];
    const service = await standIn({ hasHappened: 1 });
    const url = await listening((request, response) => {
      const status = replies.shift();
      if (status === undefined)
        void fetch(`${service.url}${request.url ?? ''}`, { headers: { 'last-event-id': 'c0' } }).then(
          async (answer) =>
            response
              .writeHead(200, { 'content-type': 'text/event-stream' })
              .end((await answer.body?.getReader().read())?.value),
        );
      else response.writeHead(status).end('{"detail":"later"}');
    });
    const seen: number[] = [];
    const reading = read(url, 1, {
      after: 'c0',
      onReconnect: (reason, seconds) => {
        reasons.push(reason);
        seen.push(seconds);
      },
    });
    expect(await reading).toEqual([1]);
    expect(reasons.slice(0, 3).map(({ name }) => name)).toEqual([
      'UnavailableError',
      'ApiError',
      'TooManyRequestsError',
    ]);
    expect(seen[2]).toBeGreaterThan(seen[0] ?? 0);
  }, 30_000);

  it('give a silent connection up', async () => {
    const reasons: Error[] = [];
    const url = await listening((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (reasons.length > 0) response.write(`id: c1\ndata: ${JSON.stringify(eventOf(1))}\n\n`);
    });
    const options = {
      after: 'c0',
      longestSilenceSeconds: 0.2,
      onReconnect: (reason: Error) => reasons.push(reason),
    };
    expect(await read(url, 1, options)).toEqual([1]);
    expect(reasons).toEqual([expect.any(TimeoutError)]);
  });

  it('tell of every sign of life, be it only a comment, but not of a head with nothing behind it', async () => {
    const heard: number[] = [];
    let asked = 0;
    const url = await listening((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (asked === 2) response.write(': still here\n\n');
      if (asked === 3) response.write(`id: c1\ndata: ${JSON.stringify(eventOf(1))}\n\n`);
    });
    const options = { after: 'c0', longestSilenceSeconds: 0.2, onHeard: () => heard.push(asked) };
    expect(await read(url, 1, options)).toEqual([1]);
    expect(heard).toEqual([2, 3]);
  });

  it('pause no longer than told before the next try', async () => {
    const pauses: number[] = [];
    const url = await listening((_request, response) => {
      if (pauses.length < 6) response.writeHead(503).end('{}');
      else response.end(JSON.stringify({ events: [eventOf(1)], cursor: 'c1' }));
    });
    const options = {
      after: 'start',
      longestPauseSeconds: 0.01,
      onReconnect: (_reason: Error, seconds: number) => pauses.push(seconds),
    };
    expect(await read(url, 1, options)).toEqual([1]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(0.01);
  });

  it('do not count the time that the reader takes as silence', async () => {
    const service = await standIn({ hasHappened: 2 });
    const reasons: Error[] = [];
    const events: StoreEvent[] = [];
    const options = {
      after: 'c0',
      longestSilenceSeconds: 0.2,
      onReconnect: (reason: Error) => reasons.push(reason),
    };
    for await (const event of as(service.url).events(options)) {
      events.push(event);
      if (events.length === 2) break;
      await delay(400);
    }
    expect(reasons).toEqual([]);
  });

  it.each([
    ['the key is revoked', 401, { detail: 'Invalid API key' }, AuthenticationError],
    ['events were lost', 410, { detail: 'read again', cursor: 'c99' }, GoneError],
    ['the question is wrong', 422, { detail: [] }, ComandaError],
  ])('end when %s', async (_name, status, body, kind) => {
    const url = await listening((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
    const error: unknown = await read(url, 1, { after: 'c1' }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(kind);
    if (status === 410) expect(error).toMatchObject({ cursor: 'c99', message: '410 read again' });
  });

  it.each([
    ['<html>', 'text/html'],
    ['id: 1\ndata: {\n\n', 'text/event-stream'],
    [`data: ${'x'.repeat(17_000_000)}`, 'text/event-stream'],
  ])('end when the answer is none of a service', async (body, type) => {
    const url = await listening((_request, response) => response.setHeader('content-type', type).end(body));
    await expect(read(url, 1, { after: 'c1' })).rejects.toThrow(ComandaError);
    await expect(read(url, 1, { after: 'c1' })).rejects.not.toThrow(ConnectionError);
  });
});
