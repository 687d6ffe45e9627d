import { describe, expect, it } from 'vitest';
import { ask } from '../../harness/client.js';
import { choice, comboLine, comboMenu } from '../../harness/combo.js';
import { itemsOf, menuClient } from '../../harness/menu.js';
import { LATER, orderRequest, type OrderBody } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createTenant } from '../../harness/tenant.js';

const service = await useService();

async function open() {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  expect((await menu.post(comboMenu())).status).toBe(200);
  const manage = <T>(path: string, body: unknown) =>
    ask<T>(`${service.url}/manage/v1/stores/${tenant.storeId}/${path}`, {
      method: 'POST',
      key: tenant.key,
      body,
    });
  return {
    ...tenant,
    menu,
    mark: (path: string, in_stock: boolean) => menu.manage(path, { method: 'PATCH', body: { in_stock } }),
    quote: (...items: object[]) =>
      manage<{ price: number; tax: number; items: unknown[]; detail: object[] }>('quote', { items }),
    order: (items: object[], price: number, tax: number) =>
      manage<OrderBody>('orders?check=menu', orderRequest({ items, price, tax, ready_by: LATER })),
  };
}

const sideOf = async (menu: ReturnType<typeof menuClient>) =>
  itemsOf(await menu.tree()).find(({ external_id }) => external_id === 'combo')?.modifier_groups[1]
    ?.modifier_items[0]?.in_stock;

describe('a modifier item that stands for an item', () => {
  it('is sold out with it: in the tree with a new tag, in what is available, quoted and checked', async () => {
    const { menu, mark, quote, order } = await open();
    expect(await sideOf(menu)).toBe(true);
    const before = (await menu.tree()).headers.get('etag');
    expect((await quote(comboLine())).status).toBe(200);

    await mark('items/fries', false);
    const after = await menu.tree();
    expect([await sideOf(menu), after.headers.get('etag') === before]).toEqual([false, false]);
    const { modifier_items: flat } = (await menu.flat()).body;
    expect(flat?.find(({ external_id }) => external_id === 'side-fries')?.in_stock).toBe(true);
    const available = await menu.manage<{ left_out: unknown }>('available');
    expect(available.body.left_out).toEqual([
      {
        kind: 'item',
        external_id: 'combo',
        reason: 'modifiers_unavailable',
        ctx: { menu_item_external_id: 'fries' },
      },
      { kind: 'item', external_id: 'fries', reason: 'out_of_stock' },
    ]);
    const soldOut = {
      loc: ['body', 'items', 0, 'modifiers', 1, 'external_id'],
      msg: "The modifier item 'side-fries' is sold out",
      type: 'sold_out',
      ctx: { menu_item_external_id: 'fries' },
    };
    const refused = await quote(comboLine());
    expect([refused.status, refused.body.detail[0]]).toEqual([422, soldOut]);
    expect(await order([comboLine()], 1000, 100)).toMatchObject({
      status: 422,
      body: { detail: [soldOut, { type: 'group_min' }] },
    });
    const check = await menu.manage<{ warnings: { type: string; ctx: unknown }[] }>('check', {
      method: 'POST',
      body: comboMenu(),
    });
    expect(check.body.warnings.filter(({ type }) => type === 'group_unsatisfiable')).toMatchObject([
      { ctx: { external_id: 'side' } },
    ]);

    await mark('items/fries', true);
    expect(await sideOf(menu)).toBe(true);
    expect((await order([comboLine()], 1000, 100)).status).toBe(201);
    await mark('modifier_items/side-fries', false);
    expect(await sideOf(menu)).toBe(false);
    expect((await quote(comboLine())).body.detail[0]).toEqual({ ...soldOut, ctx: undefined });
  });
});

describe('nested choices', () => {
  it('are checked and priced for each unit of the modifier item, and kept with the order', async () => {
    const { quote, order, key } = await open();
    const aioli = { modifiers: [choice('sauces', 'aioli', { quantity: 2 })] };
    const doneness = [
      choice('doneness', 'rare'),
      choice('extras', 'bacon', { quantity: 2 }),
      choice('extras', 'more-fries', aioli),
    ];
    const line = comboLine(3, doneness);
    // Of two bacon and one of fries the first is free; two sauces go with the fries.
    const price = 3 * (1000 + 100 + 200 + 2 * 50);
    const { status, body } = await quote(line);
    expect([status, body.price, body.tax]).toEqual([200, price, price / 10]);
    expect(body.items).toMatchObject([
      {
        modifiers: [
          {
            external_id: 'main-burger',
            modifiers: [
              { external_id: 'rare', free_quantity: 0 },
              { external_id: 'bacon', quantity: 2, free_quantity: 1 },
              {
                external_id: 'more-fries',
                free_quantity: 0,
                modifiers: [{ external_id: 'aioli', quantity: 2 }],
              },
            ],
          },
          { external_id: 'side-fries' },
        ],
      },
    ]);
    const taken = await order([line], price, price / 10);
    expect([taken.status, taken.body['items']]).toEqual([201, [line]]);
    const shown = await ask<OrderBody>(`${service.url}/manage/v1/orders/${taken.body.id}`, { key });
    expect(shown.body['items']).toEqual([line]);
  });

  it('are refused at their own place', async () => {
    const { quote } = await open();
    const places = async (...doneness: object[]) =>
      (await quote(comboLine(1, doneness as ReturnType<typeof choice>[]))).body.detail;
    const nested = ['body', 'items', 0, 'modifiers', 0, 'modifiers'];
    expect(await places()).toMatchObject([
      { loc: nested, type: 'group_min', ctx: { group_external_id: 'doneness' } },
    ]);
    expect(await places(choice('doneness', 'rare'), choice('side', 'side-fries'))).toMatchObject([
      { loc: [...nested, 1, 'group_external_id'], type: 'unknown_group' },
    ]);
    expect(await places(choice('doneness', 'rar'))).toMatchObject([
      { loc: [...nested, 0, 'external_id'], type: 'unknown_modifier' },
      { loc: nested, type: 'group_min' },
    ]);
    const sauce = choice('sauces', 'aioli', { quantity: 6, price_change: 1 });
    const extra = choice('extras', 'more-fries', { modifiers: [sauce] });
    expect(await places(choice('doneness', 'rare'), extra)).toMatchObject([
      { loc: [...nested, 1, 'modifiers', 0, 'price_change'], type: 'price_mismatch' },
      { loc: [...nested, 1, 'modifiers', 0, 'quantity'], type: 'modifier_quantity' },
    ]);
    expect(await places(choice('doneness', 'rare', { modifiers: 'x' }))).toMatchObject([
      { loc: [...nested, 0, 'modifiers'], type: 'list_type' },
    ]);
  });

  it('go six levels deep and no further', async () => {
    const { menu, quote } = await open();
    const { items, modifier_groups: groups, modifier_items: modifiers, ...rest } = comboMenu();
    const endless = { ...items[3], modifier_external_ids: ['again'] };
    const again = { ...groups[4], external_id: 'again', modifier_item_external_ids: ['another'] };
    const another = { ...modifiers[6], external_id: 'another', menu_item_external_id: 'salad' };
    const menuOf = (group_min: number) => ({
      ...rest,
      items: [...items.slice(0, 3), endless],
      modifier_groups: [...groups, { ...again, group_min }],
      modifier_items: [...modifiers, another],
    });
    await menu.post(menuOf(1));
    const levels = (depth: number): object[] =>
      depth === 0 ? [] : [choice('again', 'another', { modifiers: levels(depth - 1) })];
    const salad = (depth: number) => ({ external_id: 'salad', quantity: 1, modifiers: levels(depth) });
    expect((await quote(salad(6))).body).toMatchObject({ price: 350 + 6 * 50, tax: 35 + 6 * 5 });
    const path = Array.from({ length: 6 }, () => ['modifiers', 0]).flat();
    expect((await quote(salad(7))).body.detail).toEqual([
      {
        loc: ['body', 'items', 0, ...path, 'modifiers'],
        msg: 'Modifiers can be nested to a depth of 6',
        type: 'too_deep',
        ctx: { max_depth: 6 },
      },
    ]);
    expect((await quote(salad(5))).body.detail).toMatchObject([{ type: 'group_min' }]);
  });
});
