import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { importLines, list, orderRequest, type OrderBody } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const LARGE = 12;
const LARGE_BYTES = 700_000;

const service = await useService();
const tenant = await createTenant(service);
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

describe('a page of large orders', () => {
  it.each([
    'page_size=100',
    'page_size=7&page_index=2',
    'page_size=5&customer_name=nowak',
    'customer_name=n',
  ])('shows each as it is shown alone: %s', async (query) => {
    const { status, headers, body } = await list(service, tenant, query);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(body.count).toBe(2 * LARGE);
    expect(body.order_result_list.length).toBeGreaterThan(4);
    for (const shown of body.order_result_list) {
      const alone = await ask<OrderBody>(`${service.url}/v1/orders/${shown.id}`, { key: tenant.key });
      expect({ ...shown, result_code: '000000', result_message: 'Success' }).toEqual(alone.body);
    }
    const times = body.order_result_list.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('is asked for with HEAD as well', async () => {
    const url = `${service.url}/v1/stores/${tenant.storeId}/orders/?page_size=100`;
    expect((await ask(url, { method: 'HEAD', key: tenant.key })).status).toBe(200);
  });
});
