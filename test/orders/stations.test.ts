import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item, menuClient } from '../harness/menu.js';
import { patch, takeIn } from '../harness/orders.js';
import { openForPaper } from '../harness/printer.js';
import { useService } from '../harness/service.js';

const service = await useService();

async function open() {
  const tenant = await openForPaper(service);
  const items = ['soup', 'tea', 'bread'].map((id) => item(id));
  await menuClient(service, tenant).post({ menus: [], categories: [], items });
  await tenant.manage('PATCH', '/menu/items', {
    items: [
      { external_id: 'soup', prep_type: 'hot' },
      { external_id: 'tea', prep_type: 'bar' },
    ],
  });
  const lines = ['soup', 'tea', 'bread'].map((id) => ({ external_id: id, name: id, quantity: 1 }));
  const { body } = await takeIn(service, tenant, { status: 'ACCEPTED', items: lines });
  const done = (...stations: string[]) => patch(service, tenant.key, body.id, { stations_done: stations });
  return { ...tenant, id: body.id, done };
}

it('keeps which stations are done, and leaves the rest to people', async () => {
  const { done, id, key, storeId } = await open();
  expect((await done('bar', 'bar')).body).toMatchObject({
    status: 'ACCEPTED',
    stations_done: ['bar'],
    revision: 2,
  });
  expect((await done('bar')).body).toMatchObject({ revision: 2 });
  expect((await done('bar', 'hot')).body).toMatchObject({
    status: 'ACCEPTED',
    stations_done: ['bar', 'hot'],
  });
  const { body: undone } = await done();
  expect([undone['stations_done'], undone['revision']]).toEqual([undefined, 4]);
  const { body } = await ask<{ events: { type: string; data: { changed?: string[] } }[] }>(
    `${service.url}/manage/v1/stores/${storeId}/events?types=order.updated`,
    { key },
  );
  expect(body.events.map(({ data }) => data.changed)).toEqual(
    Array.from({ length: 3 }, () => ['stations_done']),
  );
  const { body: shown } = await ask<object>(`${service.url}/v1/orders/${id}`, { key });
  expect(shown).not.toHaveProperty('stations_done');
});

it('makes an order READY once every station that makes something of it is done, where the store wants it', async () => {
  const { done, manage, id, key } = await open();
  expect((await manage('PATCH', '', { ready_when_done: true })).body).toMatchObject({
    ready_when_done: true,
  });
  expect((await done('bar')).body).toMatchObject({ status: 'ACCEPTED' });
  expect((await done('hot', 'bar')).body).toMatchObject({ status: 'READY', stations_done: ['bar', 'hot'] });
  expect((await done('hot')).body).toMatchObject({ status: 'READY', stations_done: ['hot'] });
  await patch(service, key, id, { status: 'FULFILLED' });
  expect((await done('bar')).status).toBe(409);
});

it('lets a station be done again after it got more to make, and an order be READY once nothing is missing', async () => {
  const { done, manage, id, key } = await open();
  await manage('PATCH', '', { ready_when_done: true });
  await done('hot');
  const lines = (...ids: string[]) => ids.map((name) => ({ external_id: name, name, quantity: 1 }));
  const order = async (revision: number, items: object[], more: object = {}) =>
    (await patch(service, key, id, { items, expected_revision: revision, ...more })).body;
  const again = await order(2, lines('soup', 'tea', 'soup'));
  expect(again).toMatchObject({ status: 'ACCEPTED', revision: 3 });
  expect(again).not.toHaveProperty('stations_done');
  expect((await done('hot')).body).toMatchObject({ stations_done: ['hot'] });
  const noted = lines('soup', 'tea', 'soup').map((line) => ({ ...line, tax_rate: '0.1' }));
  expect(await order(4, noted)).toMatchObject({ stations_done: ['hot'], revision: 5 });
  const more = await order(5, lines('soup', 'soup', 'soup'), { stations_done: [] });
  expect(more).toMatchObject({ status: 'ACCEPTED' });
  await order(6, lines('soup', 'soup', 'soup', 'tea'), { stations_done: ['hot'] });
  expect(await order(7, lines('soup', 'soup'))).toMatchObject({ status: 'READY', stations_done: ['hot'] });
});

it('makes an order READY that was made before it was accepted', async () => {
  const { manage, storeId, key } = await open();
  await manage('PATCH', '', { ready_when_done: true });
  const lines = ['soup', 'tea'].map((id) => ({ external_id: id, name: id, quantity: 1 }));
  const { body: first } = await takeIn(service, { storeId, key }, { items: lines });
  const change = (id: string, body: object) => patch(service, key, id, body);
  expect((await change(first.id, { stations_done: ['hot', 'bar'] })).body).toMatchObject({
    status: 'PENDING',
    revision: 2,
  });
  expect((await change(first.id, { status: 'ACCEPTED' })).body).toMatchObject({
    status: 'READY',
    revision: 4,
  });
  const { body: second } = await takeIn(service, { storeId, key }, { items: lines });
  const both = { status: 'ACCEPTED', stations_done: ['hot', 'bar'] };
  expect((await change(second.id, both)).body).toMatchObject({ status: 'READY', revision: 3 });
  const { body: third } = await takeIn(service, { storeId, key }, { items: lines });
  await change(third.id, { stations_done: ['hot'] });
  expect((await change(third.id, { status: 'ACCEPTED' })).body).toMatchObject({ status: 'ACCEPTED' });

  const { body } = await ask<{
    events: { data: { order_id: string; status: string; previous_status: string } }[];
  }>(`${service.url}/manage/v1/stores/${storeId}/events?types=order.status_changed`, { key });
  const moves = body.events.filter(({ data }) => data.order_id === first.id);
  expect(moves.map(({ data }) => [data.previous_status, data.status])).toEqual([
    ['PENDING', 'ACCEPTED'],
    ['ACCEPTED', 'READY'],
  ]);
});
