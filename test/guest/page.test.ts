import { readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';

const service = await useService();
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; manifest-src 'self'";

describe('the page for guests', () => {
  it('is the same for every code, sets no cookie, and is in no search engine', async () => {
    const page = await (await get('/order/4mzxk2pfq7hdtc3ybw5n6rjage')).text();
    expect(page).toContain('<div id="app"></div>');
    for (const code of ['4mzxk2pfq7hdtc3ybw5n6rjage', 'unknown', 'a%20b', '%D8%A7']) {
      const answer = await get(`/order/${code}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(await answer.text()).toBe(page);
    }
  });

  it('has no script and no style of its own, only files of this origin, which are sent for keeps', async () => {
    const page = await (await get('/order/x')).text();
    expect(page).not.toMatch(/<script(?![^>]*\bsrc="\/order\/)|<style|style="|https?:\/\//);
    const [script = ''] = /\/order\/assets\/[\w-]+\.js/.exec(page) ?? [];
    const answer = await get(script, { 'accept-encoding': 'br' });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('br');
    const gone = await ask(`${service.url}/order/assets/gone.js`);
    expect([gone.status, gone.body]).toEqual([404, { detail: 'Not Found' }]);
  });

  it('takes at most 45 kB in all, in every language', () => {
    const folder = 'dist/guest/page';
    const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.gz'))
      .map((name) => statSync(`${folder}/${name}`).size);
    // The page, its icon, its script and style, and five languages beside English.
    expect(sizes.length).toBeGreaterThanOrEqual(9);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(45_000);
  });

  it('may be added to the home screen, for its own place', async () => {
    const { body } = await ask<object>(
      `${service.url}/order/a%20b/app.webmanifest?name=Caf%C3%A9%20%22Centro%22`,
    );
    expect(body).toEqual({
      id: '/order/a%20b',
      name: 'Café "Centro"',
      short_name: 'Café "Centro"',
      start_url: '/order/a%20b',
      scope: '/order/a%20b',
      display: 'standalone',
      background_color: '#f6f5f1',
      theme_color: '#f6f5f1',
      icons: [{ src: '/order/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
    });
    const icon = await get('/order/icon.svg');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});
