import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';

const service = await useService();

describe.each([
  ['/docs', '/openapi.json'],
  ['/docs/manage', '/manage/openapi.json'],
  ['/docs/guest', '/guest/openapi.json'],
])('GET %s', (path, document) => {
  it('needs no key and shows the document of its surface', async () => {
    const answer = await ask<string>(service.url + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain(`"url":"${document}"`);
    expect((await ask(service.url + document)).status).toBe(200);
  });

  it('links to the pages of the other surfaces', async () => {
    const { body } = await ask<string>(service.url + path);
    const links = /<nav.*<\/nav>/.exec(body)?.[0].match(/(?<=href=")[^"]+/g);
    expect(links).toEqual(['/docs', '/docs/manage', '/docs/guest'].filter((other) => other !== path));
  });

  it('allows only what came with this answer, under a policy that changes with each', async () => {
    const [first, second] = [await ask<string>(service.url + path), await ask<string>(service.url + path)];
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
    expect(first.body.match(/<(script|style)[^>]*>/g)?.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(
      true,
    );
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
  });

  it('names no other origin', async () => {
    const { body } = await ask<string>(service.url + path);
    expect(body).not.toMatch(/(https?:)?\/\/[a-z]/);
  });

  it('is 307 without its slash in the right place and 405 for another method', async () => {
    const redirect = await ask(`${service.url}${path}/`);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, path]);
    const wrong = await ask(service.url + path, { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('GET /docs/reference.js', () => {
  it('hints at a key with words, not with something that looks like one', async () => {
    const script = await (await fetch(`${service.url}/docs/reference.js`)).text();
    expect(script).toContain('placeholder:`Paste your API key`');
    expect(script).not.toMatch(/placeholder:[`"'][A-Za-z0-9+/=_-]{24,}[`"']/);
  });

  it('comes compressed or plain, as asked, and 304 when it is there already', async () => {
    const url = `${service.url}/docs/reference.js`;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const gzipped = await fetch(url, { headers: { 'accept-encoding': 'br, gzip' } });
    const etag = gzipped.headers.get('etag') ?? '';

    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(gzipped.headers.get('content-encoding')).toBe('gzip');
    expect(gzipped.headers.get('vary')).toBe('accept-encoding');
    expect((await gzipped.text()) === (await plain.text())).toBe(true);
    const again = await fetch(url, { headers: { 'accept-encoding': 'gzip', 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const rather = await fetch(url, { headers: { 'accept-encoding': 'identity, gzip;q=0.5' } });
    expect(rather.headers.get('content-encoding')).toBeNull();
  });
});

describe('for programs that read text', () => {
  it('/llms.txt names the Markdown of every docs page', async () => {
    const { status, body, headers } = await ask<string>(`${service.url}/llms.txt`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    const pages = [...body.matchAll(/\((\/[^)]+\.md)\)/g)].map(([, path = '']) => path);
    expect(pages).toEqual(['/docs.md', '/docs/manage.md', '/docs/guest.md']);
    expect(body).toContain('/mcp');
  });

  it.each([
    ['/docs.md', '/openapi.json'],
    ['/docs/manage.md', '/manage/openapi.json'],
    ['/docs/guest.md', '/guest/openapi.json'],
  ])('%s has every operation of %s', async (path, document) => {
    const { body } = await ask<string>(service.url + path);
    const { body: described } = await ask<{ paths: Record<string, object> }>(service.url + document);
    const operations = Object.entries(described.paths).flatMap(([one, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${one}`),
    );
    expect([...body.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(operations);
  });
});
