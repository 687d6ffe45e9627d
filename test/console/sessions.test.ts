import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { makeCode } from '../../src/access/sessions.sql.js';
import { hashSecret } from '../../src/access/secret.js';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { version } from '../../src/support/version.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant } from '../harness/tenant.js';
import { call, cookieOf, openSession, signIn } from './browser-session.js';

const service = await useService();
const tenant = await createTenant(service);

const run = (text: string) => service.db.withClient((client) => client.query(text));
/** A read by the console's page at an address of its own. */
async function callWithHost(cookie: string, more: Record<string, string>): Promise<number | undefined> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', ...more };
  const sent = request(`${service.url}/console/api/v1/stores/`, { headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

const OVER = { detail: 'The session has ended. Sign in again.' };

describe('signing in', () => {
  it('tells whose session it is, and sets a cookie that no script and no other site gets', async () => {
    const answer = await signIn(service, { key: tenant.key });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      key: {
        id: tenant.keyId,
        kind: 'merchant',
        merchant_id: tenant.merchantId,
        permissions: ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'],
      },
      version,
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^comanda_session=[\w-]{43}; Path=\/console\/api; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('sets a cookie for this host alone, over TLS alone, where the browser came over TLS', async () => {
    const headers = { origin: 'https://orders.example', 'sec-fetch-site': 'same-origin' };
    const answer = await signIn(service, { key: tenant.key }, headers);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-comanda_session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
    ]);
    expect((await call(service, cookieOf(answer), '/v1/stores/')).status).toBe(200);
    const planted = cookieOf(answer).replace('__Host-', '');
    for (const overTls of [headers, { 'x-forwarded-proto': 'https' }, { host: 'orders.example' }]) {
      const refused = await callWithHost(planted, overTls);
      expect([overTls, refused]).toEqual([overTls, 401]);
      expect(await callWithHost(cookieOf(answer), overTls)).toBe(200);
    }
    for (const plain of [{ host: 'localhost:8080' }, { host: '[::1]:8080' }, { host: 'a.localhost' }])
      expect([plain, await callWithHost(planted, plain)]).toEqual([plain, 200]);
  });

  it('counts against the rate of the key, and takes no large bodies', async () => {
    const limited = await service.replica({ requestsPerSecond: 0.001, requestBurst: 3 });
    const [one, other] = await Promise.all([createTenant(service), createTenant(service)]);
    const answers = [];
    for (let nth = 0; nth < 4; nth += 1) answers.push((await signIn(limited, { key: one.key })).status);
    expect(answers).toEqual([201, 201, 201, 429]);
    expect((await ask(`${limited.url}/v1/stores/`, { key: one.key })).status).toBe(429);
    expect((await signIn(limited, { key: other.key })).status).toBe(201);
    expect((await signIn(limited, { key: 'x'.repeat(5_000) })).status).toBe(413);
    await limited.stop();
  });

  it('ends the session that was idle for longest when the key has a hundred, and no other', async () => {
    const [busy, other] = await Promise.all([createTenant(service), createTenant(service)]);
    const kept = await openSession(service, other.key);
    const first = await openSession(service, busy.key);
    const second = await openSession(service, busy.key);
    for (let nth = 2; nth < 100; nth += 1) await openSession(service, busy.key);
    expect((await call(service, first, '/v1/stores/')).status).toBe(200);
    await openSession(service, busy.key);
    expect((await call(service, first, '/v1/stores/')).body).toEqual(OVER);
    for (const cookie of [second, kept])
      expect((await call(service, cookie, '/v1/stores/')).status).toBe(200);
    const { rows } = await run(`SELECT FROM console_sessions WHERE key_hash = sha256('${busy.key}')`);
    expect(rows).toHaveLength(100);
  });

  it('keeps no token and no key, only their hashes', async () => {
    const cookie = await openSession(service, tenant.key);
    const { rows } = await run('SELECT console_sessions::text AS row FROM console_sessions');
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(cookie.split('=')[1]);
    expect(kept).not.toContain(Buffer.from(tenant.key).toString('hex'));
  });

  it('refuses a key that does not hold, and no key, without a cookie', async () => {
    for (const [proof, detail] of [
      [{ key: 'comanda_made-up' }, 'Invalid API key'],
      [{ key: '' }, 'Not authenticated'],
      [{}, 'Not authenticated'],
      [{ code: 'made up' }, 'This code has already been used or has expired'],
    ] as const) {
      const answer = await signIn(service, proof);
      expect([answer.status, answer.body]).toEqual([401, { detail }]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('ends the session that the browser had before', async () => {
    const before = await openSession(service, tenant.key);
    const after = cookieOf(await signIn(service, { key: tenant.key }, { cookie: before }));
    expect((await call(service, before, '/v1/stores/')).body).toEqual(OVER);
    expect((await call(service, after, '/v1/stores/')).status).toBe(200);
  });

  it('works with an operator key from outside, which is in no table', async () => {
    const answer = await signIn(service, { key: service.operatorKey });
    expect(answer.body).toEqual({ key: { id: 'operator', kind: 'operator', permissions: [] }, version });
    const keys = await call<unknown[]>(service, cookieOf(answer), '/manage/v1/keys?limit=1');
    expect(keys.body).toHaveLength(1);
    // As after a start with another operator key.
    await run(`UPDATE console_sessions SET key_hash = '\\x00'::bytea || substring(key_hash FROM 2)
               WHERE key_hash = sha256('${service.operatorKey}')`);
    expect((await call(service, cookieOf(answer), '/manage/v1/keys')).body).toEqual(OVER);
  });
});

describe('a session', () => {
  it('sees exactly what its key sees', async () => {
    const cookie = await openSession(service, tenant.key);
    await takeIn(service, tenant);
    for (const path of [
      '/v1/stores/',
      `/v1/stores/${tenant.storeId}/orders/`,
      `/manage/v1/stores/${tenant.storeId}`,
      '/manage/v1/keys',
      `/manage/v1/stores/${tenant.storeId}/menu/versions?unknown=1`,
    ]) {
      const byKey = await ask(`${service.url}${path}`, { key: tenant.key });
      const bySession = await call(service, cookie, path);
      expect([path, bySession.status, bySession.body]).toEqual([path, byKey.status, byKey.body]);
    }
    const other = await createTenant(service);
    expect((await call(service, cookie, `/v1/stores/${other.storeId}`)).status).toBe(404);
  });

  it('of a key that may only read changes nothing', async () => {
    const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    const cookie = await openSession(service, key);
    const { body: order } = await takeIn(service, tenant);
    const body = { status: 'ACCEPTED' };
    const answer = await call(service, cookie, `/manage/v1/orders/${order.id}`, { method: 'PATCH', body });
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: 'This key lacks the permission orders:write' },
    ]);
  });

  it('counts for nothing outside the console, and a key for nothing inside', async () => {
    const cookie = await openSession(service, tenant.key);
    for (const path of ['/v1/stores/', `/manage/v1/stores/${tenant.storeId}`]) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-comanda-console': '1' };
      expect((await ask(service.url + path, { headers })).body).toEqual({ detail: 'Not authenticated' });
    }
    const token = cookie.split('=')[1];
    expect((await ask(`${service.url}/v1/stores/`, { key: token })).body).toEqual({
      detail: 'Invalid API key',
    });
    const byKey = await call(service, '', '/v1/stores/', { key: tenant.key });
    expect([byKey.status, byKey.body]).toEqual([401, { detail: 'Not authenticated' }]);
    expect((await call(service, `comanda_session=${tenant.key}`, '/v1/stores/')).body).toEqual(OVER);
  });

  it('ends with its key, at the next request, on every replica', async () => {
    const replica = await service.replica();
    const { id, key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    const cookie = await openSession(service, key);
    expect((await call(replica, cookie, '/v1/stores/')).status).toBe(200);
    await ask(`${service.url}/manage/v1/keys/${id}`, { method: 'DELETE', key: service.operatorKey });
    for (const each of [service, replica]) {
      const answer = await call(each, cookie, '/v1/stores/');
      expect([answer.status, answer.body]).toEqual([401, OVER]);
    }
    const look = await call(replica, cookie, '/session');
    expect([look.status, look.body]).toEqual([200, {}]);
    expect(cookieOf(look)).toBe('');
    expect(look.headers.getSetCookie()).toHaveLength(2);
    await replica.stop();
  });

  it('ends after 12 hours in which nobody used it, and not before', async () => {
    const [idle, used] = [await openSession(service, tenant.key), await openSession(service, tenant.key)];
    const age = (cookie: string, hours: number) =>
      run(`UPDATE console_sessions SET last_used_at = now() - interval '${hours} hours'
           WHERE token_hash = sha256('${cookie.split('=')[1] ?? ''}')`);
    await age(idle, 12.01);
    await age(used, 11.9);
    expect((await call(service, idle, '/v1/stores/')).body).toEqual(OVER);
    expect((await call(service, used, '/v1/stores/')).status).toBe(200);
    const lastUse = async () => {
      const { rows } = await run(`SELECT last_used_at > now() - interval '1 minute' AS is_now
                                  FROM console_sessions WHERE token_hash = sha256('${used.split('=')[1] ?? ''}')`);
      return (rows as { is_now: boolean }[])[0]?.is_now;
    };
    await expect.poll(lastUse).toBe(true);
    await cleanUp(service.db, 30);
    const { rows } = await run(
      `SELECT FROM console_sessions WHERE last_used_at < now() - interval '12 hours'`,
    );
    expect(rows).toHaveLength(0);
    expect((await call(service, used, '/v1/stores/')).status).toBe(200);
  });

  it('is not kept by a tab that is left open, nor by its stream', async () => {
    const cookie = await openSession(service, tenant.key);
    const hash = `sha256('${cookie.split('=')[1] ?? ''}')`;
    const age = (hours: number) =>
      run(
        `UPDATE console_sessions SET last_used_at = now() - interval '${hours} hours' WHERE token_hash = ${hash}`,
      );
    const isOld = async () => {
      const { rows } = await run(`SELECT last_used_at < now() - interval '1 hour' AS old
                                  FROM console_sessions WHERE token_hash = ${hash}`);
      return (rows as { old: boolean }[])[0]?.old;
    };
    const stream = request(`${service.url}/console/api/manage/v1/stores/${tenant.storeId}/events/stream`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-comanda-person': '1' },
    }).end();
    const [opened] = (await once(stream, 'response')) as [IncomingMessage];
    expect(opened.statusCode).toBe(200);
    const closed = once(opened.resume(), 'close');
    await age(11);
    for (const path of ['/v1/stores/', '/session', `/v1/stores/${tenant.storeId}/orders/`])
      expect((await call(service, cookie, path, { headers: { 'x-comanda-person': '0' } })).status).toBe(200);
    // The stream asks for its session again before it sends an event.
    const event = once(opened, 'data');
    await takeIn(service, tenant);
    await event;
    // Longer than it takes to note a use.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await isOld()).toBe(true);
    await age(12.01);
    await takeIn(service, tenant);
    await closed;
    expect((await call(service, cookie, '/v1/stores/')).body).toEqual(OVER);
  }, 30_000);

  it('ends on the server when its holder signs out', async () => {
    const cookie = await openSession(service, tenant.key);
    const out = await call(service, cookie, '/session', {
      method: 'DELETE',
      headers: { origin: service.url },
    });
    expect([out.status, cookieOf(out)]).toEqual([204, '']);
    expect((await call(service, cookie, '/v1/stores/')).body).toEqual(OVER);
  });

  it('is told of without an error where there is none', async () => {
    expect((await call(service, '', '/session')).body).toEqual({});
    expect((await call(service, 'comanda_session=made-up', '/session')).body).toEqual({});
    const cookie = await openSession(service, tenant.key);
    expect((await call(service, cookie, '/session')).body).toMatchObject({
      session: { key: { id: tenant.keyId }, version },
    });
  });
});

describe('a request that another site has set off', () => {
  const CROSS = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', 'x-comanda-console': '1' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'x-comanda-console': '1' },
    {},
  ];

  it('is refused, whether it reads, changes or signs in', async () => {
    const cookie = await openSession(service, tenant.key);
    const { body: order } = await takeIn(service, tenant);
    for (const headers of CROSS) {
      const send = (path: string, method: string, body?: object) =>
        ask(`${service.url}/console/api${path}`, {
          method,
          ...(body === undefined ? {} : { body }),
          headers: { cookie, ...headers },
        });
      const answers = await Promise.all([
        send('/v1/stores/', 'GET'),
        send(`/manage/v1/orders/${order.id}`, 'PATCH', { status: 'ACCEPTED' }),
        send('/session', 'POST', { key: tenant.key }),
        send('/session', 'DELETE'),
      ]);
      expect([headers, ...answers.map(({ status }) => status)]).toEqual([headers, 403, 403, 403, 403]);
    }
    expect((await call(service, cookie, '/v1/stores/')).status).toBe(200);
  });

  it('is told from one of our own over plain HTTP by its Origin, and a read by a header of our own', async () => {
    const cookie = await openSession(service, tenant.key);
    const send = (method: string, headers: Record<string, string>) =>
      ask(`${service.url}/console/api/session`, {
        method,
        ...(method === 'POST' ? { body: { key: tenant.key } } : {}),
        headers: { cookie, ...headers },
      });
    expect((await send('GET', { 'x-comanda-console': '1' })).status).toBe(200);
    expect((await send('POST', { 'x-comanda-console': '1' })).status).toBe(403);
    expect((await send('POST', { origin: service.url })).status).toBe(201);
  });

  it('is not told from one of our own by a host that neither of them names', async () => {
    const cookie = await openSession(service, tenant.key);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`GET /console/api/v1/stores/ HTTP/1.0\r\norigin: null\r\ncookie: ${cookie}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  });

  it('cannot pass as a form', async () => {
    const cookie = await openSession(service, tenant.key);
    const { body: order } = await takeIn(service, tenant);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { 'content-type': type, origin: service.url };
      const patch = { method: 'PATCH', body: '{"status":"ACCEPTED"}', headers };
      expect((await call(service, cookie, `/manage/v1/orders/${order.id}`, patch)).status).toBe(415);
      expect((await signIn(service, { key: tenant.key }, { 'content-type': type })).status).toBe(415);
    }
  });
});

describe('a code', () => {
  const inTenMinutes = () => new Date(Date.now() + 10 * 60_000);

  it('opens one session, whoever comes first', async () => {
    const code = await makeCode(service.db, hashSecret(tenant.key), inTenMinutes());
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(service, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
    const cookie = answers.map(cookieOf).join('');
    expect((await call(service, cookie, '/v1/stores/')).status).toBe(200);
  });

  it('is of no use after its time', async () => {
    const code = await makeCode(service.db, hashSecret(tenant.key), inTenMinutes());
    await run(`UPDATE console_codes SET expires_at = expires_at - interval '10 minutes'`);
    expect((await signIn(service, { code })).status).toBe(401);
    const another = await makeCode(service.db, hashSecret(tenant.key), inTenMinutes());
    await run(`UPDATE console_codes SET expires_at = expires_at - interval '10 minutes'`);
    await cleanUp(service.db, 30);
    const { rows } = await run('SELECT FROM console_codes');
    expect([another.length, rows.length]).toEqual([32, 0]);
  });
});
