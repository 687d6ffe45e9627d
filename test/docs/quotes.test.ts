import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { menuClient } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';

const service = await useService();

describe('the worked examples of quotes', () => {
  it('are answered as the page says', async () => {
    const page = await readFile(new URL('../../docs/quotes.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^(Menu|Request|Response):\n\n```json\n(.*?)^```$/gms)];
    const [menu, ...examples] = blocks.map(([, kind, json]) => ({
      kind,
      value: JSON.parse(json ?? '') as object,
    }));
    expect(menu?.kind).toBe('Menu');
    expect(examples.map(({ kind }) => kind)).toEqual(['Request', 'Response', 'Request', 'Response']);

    const { merchantId, key } = await createTenant(service);
    const storeId = await createStore(service, merchantId, { timezone: 'Europe/Madrid', currency: 'EUR' });
    expect((await menuClient(service, { storeId, key }).post(menu?.value)).status).toBe(200);
    for (let at = 0; at < examples.length; at += 2) {
      const [request, answer] = [examples[at]?.value, examples[at + 1]?.value ?? {}];
      const url = `${service.url}/manage/v1/stores/${storeId}/quote`;
      const { status, body } = await ask<object>(url, { method: 'POST', key, body: request });
      const isRefused = 'detail' in answer;
      expect(status).toBe(isRefused ? 422 : 200);
      // The revision is a number that cannot be foreseen.
      const revision = isRefused ? {} : { stock_revision: expect.any(Number) as number };
      expect(body).toEqual({ ...answer, ...revision });
    }
  });
});
