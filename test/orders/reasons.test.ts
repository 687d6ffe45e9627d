import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);
const get = async <T>(path: string) => (await ask<T>(`${service.url}${path}`, { key: tenant.key })).body;

it.each(['REJECTED', 'STORE_CANCELLED'])(
  'why an order is %s shows on the manage side alone',
  async (status) => {
    const { body } = await takeIn(service, tenant);
    const why = { reason: 'out_of_item', reason_text: 'No more fish' };
    expect((await patch(service, tenant.key, body.id, { status, ...why })).status).toBe(200);
    expect(await get(`/manage/v1/orders/${body.id}`)).toMatchObject({ status, ...why });
    expect(await get(`/v1/orders/${body.id}`)).not.toHaveProperty('reason');
    const history = await get<{ field: string; to: unknown }[]>(`/manage/v1/orders/${body.id}/history`);
    expect(history.map(({ field, to }) => [field, to])).toEqual([
      ['reason', 'out_of_item'],
      ['reason_text', 'No more fish'],
      ['status', status],
    ]);
    const { events } = await get<{ events: { data: Record<string, unknown> }[] }>(
      `/manage/v1/stores/${tenant.storeId}/events?types=order.status_changed`,
    );
    expect(events.at(-1)?.data).toMatchObject({ status, ...why });
  },
);

it('a later step is not explained by the words of an earlier one', async () => {
  const { body } = await takeIn(service, tenant);
  const earlier = { tip: 50, reason: 'out_of_item', reason_text: 'No cake left' };
  expect((await patch(service, tenant.key, body.id, earlier)).body).toMatchObject(earlier);
  const later = await patch(service, tenant.key, body.id, { tip: 60, reason: 'other' });
  expect(later.body).toMatchObject({ tip: 60, reason: 'other' });
  expect(later.body).not.toHaveProperty('reason_text');
  const last = await patch(service, tenant.key, body.id, { status: 'STORE_CANCELLED', reason_text: 'Sorry' });
  expect(last.body).toMatchObject({ reason_text: 'Sorry' });
  expect(last.body).not.toHaveProperty('reason');
  const again = await patch(service, tenant.key, body.id, {
    status: 'STORE_CANCELLED',
    reason_text: 'Sorry',
  });
  expect(again.body).toEqual(last.body);
  const history = await get<object[]>(`/manage/v1/orders/${body.id}/history`);
  expect(history).toContainEqual(expect.objectContaining({ field: 'reason_text', from: 'No cake left' }));
});

it.each(['REJECTED', 'STORE_CANCELLED', 'CUSTOMER_CANCELLED'])(
  'an order that is %s without a reason does not keep that of an amendment',
  async (status) => {
    const { body } = await takeIn(service, tenant);
    await patch(service, tenant.key, body.id, {
      tip: 50,
      reason: 'out_of_item',
      reason_text: 'No cake left',
    });
    const ended = await patch(service, tenant.key, body.id, { status });
    expect(ended.body).toMatchObject({ status, tip: 50 });
    expect(ended.body).not.toHaveProperty('reason');
    expect(ended.body).not.toHaveProperty('reason_text');
  },
);

it.each([
  [{ status: 'ACCEPTED', reason: 'other' }, 'reason', 'value_error'],
  [{ reason_text: 'x' }, 'reason_text', 'value_error'],
  [{ status: 'REJECTED', reason: 'bored' }, 'reason', 'enum'],
  [{ status: 'REJECTED', reason_text: 'x'.repeat(201) }, 'reason_text', 'string_too_long'],
])('%j is refused, and nothing changes', async (wanted, field, type) => {
  const { body } = await takeIn(service, tenant);
  const refused = await patch(service, tenant.key, body.id, wanted);
  expect([refused.status, refused.body]).toMatchObject([422, { detail: [{ loc: ['body', field], type }] }]);
  expect(await get(`/v1/orders/${body.id}`)).toMatchObject({ status: 'PENDING' });
});

it('null says nothing, and clears a reason that was given', async () => {
  const { body } = await takeIn(service, tenant);
  const change = (wanted: object) => patch(service, tenant.key, body.id, wanted);
  const read = await change({ is_read: true, reason: null, reason_text: null, expected_revision: null });
  expect([read.status, read.body['is_read']]).toEqual([200, true]);
  const rejected = await change({ status: 'REJECTED', reason: 'other', reason_text: null });
  expect(rejected.body).toMatchObject({ status: 'REJECTED', reason: 'other' });
  const cleared = await change({ reason: null });
  expect([cleared.status, cleared.body['reason'], cleared.body.status]).toEqual([200, undefined, 'REJECTED']);
  const unnumbered = await change({ items: [], expected_revision: null });
  expect(unnumbered.body['detail']).toMatchObject([{ loc: ['body', 'expected_revision'], type: 'missing' }]);
});
