import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item, menuClient } from '../harness/menu.js';
import { LATER, orderRequest, patch, type OrderBody } from '../harness/orders.js';
import { expectSalesExact } from '../harness/recount-sales.js';
import { useService } from '../harness/service.js';
import { createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();

const coffee = (quantity: number, more: object = {}) => ({ external_id: 'coffee', quantity, ...more });
const menuAt = (price: number, more: object = {}) => ({
  items: [item('coffee', { price, tax: price / 10 })],
  menus: [],
  categories: [],
  ...more,
});

async function open(menu: object = menuAt(100)) {
  const tenant = await createTenant(service);
  const client = menuClient(service, tenant);
  expect((await client.post(menu)).status).toBe(200);
  return { ...tenant, menu: client };
}

async function takeChecked({ storeId, key }: Tenant, quantity: number): Promise<string> {
  const { status, body } = await ask<OrderBody>(
    `${service.url}/manage/v1/stores/${storeId}/orders?check=menu`,
    {
      method: 'POST',
      key,
      body: orderRequest({
        items: [coffee(quantity)],
        price: quantity * 100,
        tax: quantity * 10,
        ready_by: LATER,
      }),
    },
  );
  expect(status).toBe(201);
  return body.id;
}

const setLines = ({ key }: Tenant, id: string, revision: number, items: object[], more: object = {}) =>
  patch(service, key, id, { items, expected_revision: revision, ...more });

describe('units of a checked line that were added at another price', () => {
  it('are taken away by their share of the line, in whole amounts', async () => {
    const store = await open();
    const id = await takeChecked(store, 2);
    await store.menu.post(menuAt(150));
    const total = async (revision: number, ...quantities: number[]) => {
      const { status, body } = await setLines(
        store,
        id,
        revision,
        quantities.map((quantity) => coffee(quantity)),
      );
      return [status, body['price'], body['tax']];
    };
    expect(await total(1, 3)).toEqual([200, 350, 35]);
    expect(await total(2, 2)).toEqual([200, 233, 23]);
    expect(await total(3, 3)).toEqual([200, 383, 38]);
    // Split over lines, units come to what they came to together.
    expect(await total(4, 1, 2)).toEqual([200, 383, 38]);
    expect(await total(5, 1, 1)).toEqual([200, 256, 26]);
    expect(await total(6, 1, 1, 1)).toEqual([200, 406, 41]);
    await expectSalesExact(service.db, await storeKeyOf(service, store));
  });
});
