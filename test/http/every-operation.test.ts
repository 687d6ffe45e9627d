import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { openForGuests } from '../harness/guest.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant } from '../harness/tenant.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The names of its query parameters. */
  readonly query: readonly string[];
  readonly hasJsonBody: boolean;
  readonly operationId: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

type Document = { paths: Record<string, Record<string, Described>> };

const service = await useService();
const tenant = await createTenant(service);
const other = await createTenant(service);
const { place } = await openForGuests(service);

/** Each surface, and how many operations it has at least: one that gets lost takes these tests with it. */
const SURFACES = [
  ['/openapi.json', 9],
  ['/manage/openapi.json', 65],
  ['/guest/openapi.json', 7],
] as const;

const operationsOf = async (document: string): Promise<Operation[]> => {
  const { body } = await ask<Document>(service.url + document);
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      query: parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])),
      hasJsonBody: requestBody?.content['application/json'] !== undefined,
    })),
  );
};
const operations = (await Promise.all(SURFACES.map(([document]) => operationsOf(document)))).flat();
const isForGuests = ({ path }: Operation) => path.startsWith('/guest/');

it.each(SURFACES)('%s has at least %i operations', async (document, least) => {
  expect((await operationsOf(document)).length).toBeGreaterThanOrEqual(least);
});

const UNKNOWN = '01980c6e-5c00-7000-8000-00000000ffff';

function urlOf({ path }: Operation, storeId = UNKNOWN): string {
  const filled = path
    .replace(/\{(store_service_id|store_id)\}/, storeId)
    .replace(/\{(from|to|version)\}/g, '1')
    .replace('{code}', storeId === UNKNOWN ? UNKNOWN : place.code)
    .replace(/\{\w+\}/g, UNKNOWN);
  return service.url + filled;
}

async function eachOperation(look: (operation: Operation) => Promise<void>): Promise<void> {
  for (const operation of operations) await look(operation);
}

/** Guests have no key. */
async function eachOperationWithKey(look: (operation: Operation) => Promise<void>): Promise<void> {
  await eachOperation(async (operation) => (isForGuests(operation) ? undefined : look(operation)));
}

describe('every operation', () => {
  it('refuses a request without a key, with an empty one or a wrong one', async () => {
    await eachOperationWithKey(async (operation) => {
      const { method } = operation;
      for (const [key, detail] of [
        [undefined, 'Not authenticated'],
        ['', 'Not authenticated'],
        ['nonsense', 'Invalid API key'],
        [`${tenant.key.slice(0, -1)}${tenant.key.endsWith('0') ? '1' : '0'}`, 'Invalid API key'],
      ] as const) {
        const { status, body, headers } = await ask(urlOf(operation), { method, key });
        expect([operation, status, body]).toEqual([operation, 401, { detail }]);
        expect(headers.get('www-authenticate')).toBe('APIKey');
        expect(headers.get('x-request-id')).toMatch(/./);
      }
    });
  });

  it('refuses a key that is sent twice', async () => {
    await eachOperationWithKey(async (operation) => {
      const { pathname } = new URL(urlOf(operation));
      const answer = await rawRequest(
        `${operation.method} ${pathname} HTTP/1.1\r\nhost: x\r\nx-api-key: ${tenant.key}\r\nx-api-key: ${tenant.key}\r\nconnection: close\r\n\r\n`,
      );
      expect([operation, answer.split('\r\n')[0]]).toEqual([operation, 'HTTP/1.1 401 Unauthorized']);
      expect(answer).toContain('{"detail":"Invalid API key"}');
    });
  });

  it('tells a guest the same of a code or token that is unknown, with a key or without', async () => {
    await eachOperation(async (operation) => {
      if (!isForGuests(operation)) return;
      const { method, path } = operation;
      const detail = path.includes('{code}') ? 'Place not found' : 'Order not found';
      for (const key of [undefined, service.operatorKey]) {
        const { status, body } = await ask(urlOf(operation), {
          method,
          key,
          body: bodyFor(method),
          headers: { 'idempotency-key': 'once' },
        });
        expect([operation, status, body]).toEqual([operation, 404, { detail }]);
      }
    });
  });

  it('hides another merchant’s store as if it did not exist', async () => {
    await eachOperation(async (operation) => {
      if (!operation.path.includes('{store')) return;
      const { method } = operation;
      const theirs = await ask(urlOf(operation, other.storeId), {
        method,
        key: tenant.key,
        body: bodyFor(method),
      });
      const unknown = await ask(urlOf(operation, UNKNOWN), {
        method,
        key: tenant.key,
        body: bodyFor(method),
      });
      expect([operation, theirs.status, theirs.body]).toEqual([
        operation,
        404,
        { detail: 'Store not found' },
      ]);
      expect([unknown.status, unknown.body]).toEqual([theirs.status, theirs.body]);
    });
  });

  it.each(['%00', 'a%2Fb', '%ff', '%', 'x'.repeat(300), '..%2f..', UNKNOWN.toUpperCase()])(
    'finds no resource under the id %s',
    async (id) => {
      await eachOperation(async (operation) => {
        if (operation.path.includes('/menu/')) return;
        const resource = /\{\w+\}/.exec(operation.path);
        if (resource === null) return;
        const url = service.url + operation.path.replace(resource[0], id).replace(/\{\w+\}/g, '1');
        const { method } = operation;
        const { status, body } = await ask<{ detail: string }>(url, {
          method,
          key: service.operatorKey,
          body: bodyFor(method),
        });
        expect([operation, status, body.detail]).toEqual([
          operation,
          404,
          expect.stringMatching(/ not found$/),
        ]);
      });
    },
  );

  it('answers 405 with Allow to a method it does not have, key or no key', async () => {
    await eachOperation(async (operation) => {
      const { status, body, headers } = await ask(urlOf(operation), { method: 'PROPFIND' });
      expect([operation, status, body]).toEqual([operation, 405, { detail: 'Method Not Allowed' }]);
      expect(headers.get('allow')?.split(', ')).toContain(operation.method);
    });
  });

  it.each(['', 'bogus', 'application/', 'text/plain'])(
    'answers 405 and 307 whatever the Content-Type: %j',
    async (type) => {
      await eachOperation(async (operation) => {
        const { pathname } = new URL(urlOf(operation));
        const ask = (method: string, path: string) =>
          rawRequest(
            `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n\r\n`,
          );
        expect(await ask('PROPFIND', pathname)).toMatch(/^HTTP\/1\.1 405 /);
        const wrong = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`;
        expect(await ask(operation.method, wrong)).toMatch(/^HTTP\/1\.1 307 /);
        expect(await ask(operation.method, `http://a${wrong}`)).toMatch(/^HTTP\/1\.1 307 /);
      });
    },
  );

  it('answers HEAD wherever it answers GET, with the same status and headers and no body', async () => {
    await eachOperation(async (operation) => {
      if (operation.method !== 'GET') return;
      const url = urlOf(operation, tenant.storeId);
      const get = await fetch(url, { headers: { 'x-api-key': service.operatorKey }, redirect: 'manual' });
      // Some have no end.
      await get.body?.cancel();
      const head = await ask(url, { key: service.operatorKey, method: 'HEAD' });
      const comparable = ({ headers }: { headers: Headers }) =>
        [...headers].filter(
          ([name]) => !/^(date|x-request-id|transfer-encoding|keep-alive|connection)$/.test(name),
        );
      expect([operation, head.status, comparable(head), head.body]).toEqual([
        operation,
        get.status,
        comparable(get),
        '',
      ]);
    });
  });

  it('ignores an unknown query parameter on the interface and refuses it on the manage side', async () => {
    await eachOperation(async (operation) => {
      const { method, path } = operation;
      const url = `${urlOf(operation, tenant.storeId)}?__proto__=1&lmit=%F0%9F%8D%95`;
      const { status, body } = await ask<{ detail: { loc: unknown; type: string }[] }>(url, {
        method,
        key: service.operatorKey,
        body: bodyFor(method),
      });
      if (!path.startsWith('/manage/'))
        return expect([operation, JSON.stringify(body.detail)]).not.toContain('extra_forbidden');
      const others = body.detail.filter(({ type }) => type !== 'missing');
      expect([operation, status, others]).toEqual([
        operation,
        422,
        [
          {
            loc: ['query', '__proto__'],
            msg: 'Extra inputs are not permitted',
            type: 'extra_forbidden',
            input: '1',
          },
          {
            loc: ['query', 'lmit'],
            msg: 'Extra inputs are not permitted',
            type: 'extra_forbidden',
            input: '\u{1F355}',
          },
        ],
      ]);
    });
  });

  it.each(['[]', '1', '"x"', 'true', '[{}]'])('refuses a body that is no object: %s', async (body) => {
    let sent = 0;
    await eachOperation(async (operation) => {
      if (!operation.hasJsonBody) return;
      const response = await fetch(urlOf(operation, tenant.storeId), {
        method: operation.method,
        headers: {
          'x-api-key': service.operatorKey,
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body,
      });
      const { detail } = (await response.json()) as { detail: unknown };
      sent += 1;
      // A resource that is not there, and one of the two things that a webhook needs, are told of first.
      if (response.status === 404) return;
      expect([operation, response.status, detail]).toEqual([
        operation,
        422,
        [
          expect.objectContaining({
            loc: ['body'],
            type: expect.stringMatching(/^(model_attributes_type|dict_type)$/) as string,
          }),
        ],
      ]);
    });
    expect(sent).toBeGreaterThan(10);
  });

  it('refuses a query before it says that something is missing or not allowed', async () => {
    const wanted = { merchant_id: tenant.merchantId, permissions: ['stock:write'] };
    const { key: weakKey } = await createKey(service, wanted);
    const refused: string[] = [];
    await eachOperationWithKey(async (operation) => {
      const { method, path, query } = operation;
      const invalid = query.map((name) => `${name}=nonsense`);
      if (query.includes('start_time')) invalid.push('start_time=2026-01-02&end_time=2026-01-01');
      if (path.startsWith('/manage/')) invalid.push('nonsense=1');
      for (const search of invalid) {
        const send = async (storeId: string, key: string) => {
          const headers = { 'x-api-key': key, 'content-type': 'application/json' };
          const body = method === 'GET' || method === 'DELETE' ? null : '{}';
          const answer = await fetch(`${urlOf(operation, storeId)}?${search}`, { method, headers, body });
          if (answer.status === 422) return [search, await answer.json()];
          await answer.body?.cancel();
          return [search, answer.status];
        };
        const toAnyone = await send(tenant.storeId, service.operatorKey);
        // Any text is a name to search for.
        if (typeof toAnyone[1] === 'number') continue;
        refused.push(search);
        expect([operation, await send(UNKNOWN, service.operatorKey)]).toEqual([operation, toAnyone]);
        expect([operation, await send(other.storeId, tenant.key)]).toEqual([operation, toAnyone]);
        expect([operation, await send(tenant.storeId, weakKey)]).toEqual([operation, toAnyone]);
      }
    });
    for (const search of ['after=nonsense', 'types=nonsense', 'cursor=nonsense', 'force=nonsense'])
      expect(refused).toContain(search);
  });

  /** What some queries must have. */
  const NEEDED = { phone: '+48225550123', month: '2026-11', store_ids: tenant.storeId };

  /** What a key is let do, in a store of its own: the operations that do not refuse it. */
  const openTo = async (permissions: readonly string[]) => {
    const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions });
    const open: string[] = [];
    await eachOperationWithKey(async (operation) => {
      const { method, operationId, query } = operation;
      const needed = Object.entries(NEEDED).filter(([name]) => query.includes(name));
      const search = new URLSearchParams(needed).toString();
      const answer = await fetch(`${urlOf(operation, tenant.storeId)}?${search}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        // No operation takes it, so that nothing is changed.
        body: method === 'GET' || method === 'DELETE' ? null : '[',
      });
      await answer.body?.cancel();
      // A resource that is looked for first is not there.
      if (answer.status !== 403 && answer.status !== 404) open.push(operationId);
    });
    return open;
  };

  it('is closed to the key of a pick-up screen, but for its numbers', async () => {
    expect(await openTo(['pickup:read'])).toEqual(['get_pickup_screen']);
  });

  it('is open to a key of the kitchen only where there are no takings', async () => {
    const [all, kitchen] = [await openTo(['read']), await openTo(['kitchen:read'])];
    expect(all.filter((operationId) => !kitchen.includes(operationId)).sort()).toEqual(
      [
        'describe_connection',
        'export_customer',
        'export_orders',
        'get_overview',
        'get_sales',
        'get_sales_of_stores',
      ].sort(),
    );
    expect(kitchen.filter((operationId) => !all.includes(operationId))).toEqual([]);
    for (const needed of [
      'list_stores',
      'list_managed_orders',
      'get_menu_configuration',
      'get_intake',
      'stream_events',
    ])
      expect(kitchen).toContain(needed);
  });

  it('redirects to the path with the right slash, key or no key, and keeps the query', async () => {
    await eachOperation(async (operation) => {
      const right = new URL(urlOf(operation)).pathname;
      const wrong = right.endsWith('/') ? right.slice(0, -1) : `${right}/`;
      const { status, headers } = await ask(`${service.url}${wrong}?a=1&b=%20%ff%35`, {
        method: operation.method,
      });
      expect([operation, status, headers.get('location')]).toEqual([
        operation,
        307,
        `${right}?a=1&b=%20%ff%35`,
      ]);
    });
  });
});

it('answers 404 to a path it does not know, and never redirects to another host', async () => {
  for (const path of ['/v1', '/v2/stores/', '//evil.example/..', '/v1/stores/x/y/z']) {
    const { status, body } = await ask(service.url + path);
    expect([path, status, body]).toEqual([path, 404, { detail: 'Not Found' }]);
  }
});

it.each([
  ['QUERY /v1/stores/', 405, 'GET, HEAD'],
  ['QUERY /nope', 404, undefined],
  ['CONNECT a:80', 405, ''],
])('answers %s with %i', async (line, status, allowed) => {
  const answer = await rawRequest(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(/^allow: ?(.*)\r$/im.exec(answer)?.[1]).toBe(allowed);
});

it('revokes a key whatever Content-Type is sent along', async () => {
  const { keyId, key } = await createTenant(service);
  const answer = await rawRequest(
    `DELETE /manage/v1/keys/${keyId} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.operatorKey}\r\n` +
      'Connection: close\r\nContent-Type:\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  expect((await ask(`${service.url}/v1/stores/`, { key })).status).toBe(401);
});

function bodyFor(method: string): object | undefined {
  return method === 'POST' || method === 'PATCH' ? {} : undefined;
}

async function rawRequest(head: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(head);
  return readAll(socket);
}
