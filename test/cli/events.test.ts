import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item, menuClient } from '../harness/menu.js';
import { patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { comanda } from './command-line.js';

const service = await useService();

it('shows no code of a terminal that an event brings', async () => {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  await menu.post({ items: [item('fish\u001b[2J')] });
  const marks = `${service.url}/manage/v1/stores/${tenant.storeId}/menu/items`;
  await ask(`${marks}/${encodeURIComponent('fish\u001b[2J')}`, {
    ...{ method: 'PATCH', key: tenant.key, body: { in_stock: false } },
  });
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: tenant.key };
  const wanted = ['events', 'tail', '--after', 'start', '--count', '2'];
  const { out } = await comanda(wanted, { environment, columns: 80 });
  expect(out).toMatch(
    /^\S+Z  menu.published  version 1\n\S+Z  menu.stock_changed  fish\ufffd\[2J sold out\n$/,
  );
});

it('shows what happens in a store', async () => {
  const tenant = await createTenant(service);
  const { body } = await takeIn(service, tenant);
  await patch(service, tenant.key, body.id, { status: 'ACCEPTED' });
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: tenant.key };
  const tail = (...words: string[]) =>
    comanda(['events', 'tail', '--after', 'start', ...words], { environment });
  const plain = await tail('--count', '2');
  expect(plain.out.split('\n').map((line) => line.split('\t').slice(1))).toEqual([
    ['order.created', `${body.id} PENDING`, tenant.storeId, '1'],
    ['order.status_changed', `${body.id} PENDING -> ACCEPTED`, tenant.storeId, '2'],
    [],
  ]);
  const wanted = ['--store', tenant.storeId, '--type', 'order.status_changed', '--count', '1', '--json'];
  expect(JSON.parse((await tail(...wanted)).out)).toMatchObject({
    type: 'order.status_changed',
    sequence: 2,
    data: { order_id: body.id, status: 'ACCEPTED' },
  });
  expect((await tail('--store', 'nowhere')).code).toBe(5);
  expect((await tail('--type', 'order.eaten')).code).toBe(2);
  expect((await tail('--after', 'nonsense')).code).toBe(6);
});
