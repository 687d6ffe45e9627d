import { expect, it } from 'vitest';
import { importLines, list, orderRequest } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const LARGE = 12;
const LARGE_BYTES = 700_000;

const service = await useService();
const [tenant, other] = [await createTenant(service), await createTenant(service)];
const lines = Array.from({ length: 2 * LARGE }, (_, i) => {
  const text = `${i} `.repeat(LARGE_BYTES).slice(0, i % 2 === 0 ? LARGE_BYTES : 10);
  const items = [{ external_id: 'x', note: `"\\${text}\u0001`, quantity: 1 }];
  return JSON.stringify({
    store_id: tenant.storeId,
    ...orderRequest({ items, created_at: new Date(Date.UTC(2026, 0, 1, i)).toISOString() }),
  });
});
const { body } = await importLines(service, tenant.key, lines.join('\n'));
expect(body.created).toBe(2 * LARGE);

/** What the other merchant gets meanwhile, and how long its slowest answer took. */
async function readAsOther(times: number): Promise<{ statuses: Set<number>; slowestMs: number }> {
  const statuses = new Set<number>();
  let slowestMs = 0;
  for (let round = 0; round < times; round += 1) {
    const begun = performance.now();
    statuses.add((await list(service, other, 'page_size=20')).status);
    statuses.add((await list(service, other, 'customer_name=a')).status);
    slowestMs = Math.max(slowestMs, performance.now() - begun);
  }
  return { statuses, slowestMs };
}

it.each([
  ['pages', () => `/v1/stores/${tenant.storeId}/orders/?page_size=100`],
  ['exports', () => `/manage/v1/stores/${tenant.storeId}/orders/export`],
])('many large orders at once, as %s, leave another merchant its answers', async (_, path) => {
  const begun = performance.now();
  const many = Array.from({ length: 40 }, async () => {
    const answer = await fetch(`${service.url}${path()}`, {
      headers: { 'x-api-key': tenant.key },
    });
    const { length } = await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), length };
  });
  const { statuses, slowestMs } = await readAsOther(20);
  expect([...statuses]).toEqual([200]);
  const answers = await Promise.all(many);
  // The other merchant does not wait for all of them.
  expect(slowestMs).toBeLessThan(0.8 * (performance.now() - begun));
  for (const { status, retryAfter, length } of answers) {
    if (status === 200) expect(length).toBeGreaterThan(LARGE * LARGE_BYTES);
    else expect([status, retryAfter]).toEqual([503, '1']);
  }
});
