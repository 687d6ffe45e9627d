import { expect, it } from 'vitest';
import { guestClient, openForGuests, coffeeMenu } from '../harness/guest.js';
import { item, modifierGroup, modifierItem, text } from '../harness/menu.js';
import { useService } from '../harness/service.js';

const service = await useService();
const guest = guestClient(service);

interface GuestMenu {
  readonly timezone: string;
  readonly left_out: readonly object[];
  readonly components: readonly object[];
  readonly menu_configuration: readonly {
    readonly external_id: string;
    readonly categories: readonly {
      readonly items: readonly {
        readonly external_id: string;
        readonly in_stock: boolean;
        readonly prep_type?: string;
        readonly left?: number;
        readonly modifier_groups: readonly { readonly modifier_items: readonly { in_stock: boolean }[] }[];
      }[];
    }[];
  }[];
}

const read = (code: string, headers = {}) => guest.get<GuestMenu>(`/places/${code}/menu`, headers);
const itemsOf = ({ menu_configuration: menus }: GuestMenu) =>
  menus.flatMap(({ categories }) => categories.flatMap(({ items }) => items));

it('shows what can be ordered, marks what is sold out, and keeps the kitchen’s notes to the kitchen', async () => {
  const { place, manage, menu } = await openForGuests(service);
  const required = { group_min: 1, modifier_item_external_ids: ['beans'] };
  const base = coffeeMenu();
  await menu.post({
    ...base,
    items: [
      ...base.items,
      item('stew', { modifier_external_ids: ['side'] }),
      item('extra', { sell_separately: false }),
      item('toast'),
    ],
    menus: [
      ...base.menus,
      {
        external_id: 'never',
        availability: [{ day_of_week: 'Monday', time_periods: [] }],
        category_external_ids: ['closed'],
      },
    ],
    categories: [
      { external_id: 'c', name: text('c'), item_external_ids: ['coffee', 'cake', 'stew', 'extra'] },
      { external_id: 'closed', name: text('closed'), item_external_ids: ['toast'] },
    ],
    modifier_groups: [...base.modifier_groups, modifierGroup('side', required)],
    modifier_items: [...base.modifier_items, modifierItem('beans')],
  });
  await manage('PATCH', '/menu/items/cake', { in_stock: false, prep_type: 'Oven' });
  await manage('PATCH', '/menu/modifier_items/beans', { in_stock: false });
  const { status, body } = await read(place.code);
  expect(status).toBe(200);
  expect(itemsOf(body).map((one) => [one.external_id, one.in_stock, one.prep_type])).toEqual([
    ['coffee', true, undefined],
    ['cake', false, undefined],
    // It cannot be had without beans.
    ['stew', false, undefined],
  ]);
  expect(itemsOf(body)[2]?.modifier_groups[0]?.modifier_items[0]?.in_stock).toBe(false);
  expect(body.left_out).toEqual([
    { kind: 'menu', external_id: 'never', reason: 'outside_hours' },
    { kind: 'item', external_id: 'extra', reason: 'not_sold_separately' },
    { kind: 'item', external_id: 'toast', reason: 'outside_hours' },
  ]);
  expect(body.menu_configuration.map(({ external_id }) => external_id)).toEqual(['m']);
});

it('has a tag that changes with menu and stock alone', async () => {
  const { place, manage, menu } = await openForGuests(service);
  const tagOf = async () => (await read(place.code)).headers.get('etag') ?? '';
  const first = await tagOf();
  expect(await tagOf()).toBe(first);
  const unchanged = await read(place.code, { 'if-none-match': first });
  expect([unchanged.status, unchanged.body]).toEqual([304, '']);
  await manage('PATCH', '/menu/items/cake', { in_stock: false });
  const second = await read(place.code, { 'if-none-match': first });
  expect([second.status, itemsOf(second.body)[1]?.in_stock]).toEqual([200, false]);
  await menu.post(coffeeMenu({ price: 7 }));
  expect((await read(place.code, { 'if-none-match': await tagOf() })).status).toBe(304);
  expect(await tagOf()).not.toBe(second.headers.get('etag'));
  const packed = await read(place.code, { 'accept-encoding': 'br' });
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(packed.headers.get('etag')).not.toBe(await tagOf());
});

it('is empty before the first publication', async () => {
  const { place, menu } = await openForGuests(service);
  await menu.post({ items: [] });
  expect((await read(place.code)).body).toEqual({
    timezone: 'UTC',
    left_out: [],
    menu_configuration: [],
    components: [],
  });
});

it('says how many are left from five down, and each order moves the tag', async () => {
  const { place, manage, menu } = await openForGuests(service);
  await manage('PATCH', '/menu/items/coffee', { left: 7 });
  const lefts = async () => itemsOf((await read(place.code)).body).map(({ left }) => left);
  expect(await lefts()).toEqual([undefined, undefined]);
  const before = (await read(place.code)).headers.get('etag') ?? '';
  expect((await read(place.code, { 'if-none-match': before })).status).toBe(304);
  const order = () => guest.order(place.code);
  expect((await order()).status).toBe(201);
  expect(await lefts()).toEqual([5, undefined]);
  const changed = await read(place.code, { 'if-none-match': before });
  expect(changed.status).toBe(200);
  const tag = changed.headers.get('etag') ?? '';
  expect((await read(place.code, { 'if-none-match': tag })).status).toBe(304);
  await Promise.all([order(), order()]);
  expect(await lefts()).toEqual([1, undefined]);
  // The staff see every count, the interface none.
  const { body } = await manage<GuestMenu>('GET', '/menu/available');
  expect(itemsOf(body).map(({ left }) => left)).toEqual([1, undefined]);
  expect(JSON.stringify((await menu.tree()).body)).not.toContain('"left"');
  await manage('PATCH', '/menu/items/coffee', { left: 0 });
  expect(itemsOf((await read(place.code)).body).map((one) => [one.in_stock, one.left])).toEqual([
    [false, undefined],
    [true, undefined],
  ]);
  await manage('PATCH', '/menu/items/coffee', { left: null, in_stock: true });
  expect(await lefts()).toEqual([undefined, undefined]);
});
