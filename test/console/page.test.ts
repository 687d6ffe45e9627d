import { describe, expect, it } from 'vitest';
import { version } from '../../src/support/version.js';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';

const service = await useService();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { redirect: 'manual', headers });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

describe('the page of the console', () => {
  it('comes at every address below it, under a policy that lets in nothing else', async () => {
    const page = await (await get('/console')).text();
    expect(page).toContain('<div id="app"></div>');
    for (const path of ['/console', '/console/stores', '/console/stores/x/orders/y?page=2']) {
      const answer = await get(path);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toBe(page);
    }
    expect((await get('/console/')).headers.get('location')).toBe('/console');
  });

  it('has no script and no style of its own, only files of this origin', async () => {
    const page = await (await get('/console')).text();
    expect(page).not.toMatch(/<script(?![^>]*\bsrc="\/console\/)/);
    expect(page).not.toMatch(/<style|style="|https?:\/\//);
  });

  it('sends its files for keeps, and compressed as the browser likes', async () => {
    const page = await (await get('/console')).text();
    const [script = ''] = /\/console\/assets\/[\w-]+\.js/.exec(page) ?? [];
    const plain = await get(script, { 'accept-encoding': 'identity' });
    const text = await plain.text();
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const coding of ['br', 'gzip']) {
      const answer = await get(script, { 'accept-encoding': coding });
      expect(answer.headers.get('content-encoding')).toBe(coding);
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 2);
      expect(await answer.text()).toBe(text);
    }
    const tag = plain.headers.get('etag') ?? '';
    const again = await get(script, { 'accept-encoding': 'identity', 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('sends no page in place of a file or a call that is not there', async () => {
    for (const path of ['/console/assets/gone.js', '/console/assets/..%2Findex.html', '/console/api/v2/x']) {
      const answer = await ask(service.url + path);
      expect([path, answer.status, answer.body]).toEqual([path, 404, { detail: 'Not Found' }]);
    }
    expect((await ask(`${service.url}/console`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the bare address', () => {
  it('leads a person to the console', async () => {
    const answer = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console']);
  });

  it('tells a program what is where, and each of it is there', async () => {
    const { status, body } = await ask<Record<string, string>>(`${service.url}/`);
    expect([status, body]).toEqual([
      200,
      {
        name: 'Comanda',
        version,
        console: '/console',
        docs: '/docs',
        api: '/v1',
        openapi: '/openapi.json',
        manage: '/manage/v1',
        manage_openapi: '/manage/openapi.json',
        health: '/healthz',
        readiness: '/readyz',
      },
    ]);
    for (const path of ['/console', '/docs', '/openapi.json', '/manage/openapi.json', '/healthz', '/readyz'])
      expect((await get(path)).status).toBe(200);
  });

  it('has an icon', async () => {
    const answer = await get('/favicon.ico');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});
