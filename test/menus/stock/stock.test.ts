import { describe, expect, it } from 'vitest';
import { chain, item, itemsOf, menuClient, modifierItem, text, type MenuClient } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);

async function newStore(body: unknown = chain()): Promise<MenuClient> {
  const storeId = await createStore(service, tenant.merchantId);
  const store = menuClient(service, { storeId, key: tenant.key });
  expect((await store.post(body)).status).toBe(200);
  return store;
}

const mark = (store: MenuClient, path: string, body: unknown) =>
  store.manage(path, { method: 'PATCH', body });
const stockOf = async (store: MenuClient) => itemsOf(await store.tree()).map(({ in_stock }) => in_stock);

describe('marking', () => {
  it('many at once: each is done for itself, and one that is refused leaves the others alone', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const limited = await service.replica({ treeBytes: 20_000 });
    const store = menuClient(limited, { storeId, key: tenant.key });
    const items = Array.from({ length: 20 }, (_, i) => item(`i${i}`));
    const menus = [{ external_id: 'm', availability: [], category_external_ids: ['c'] }];
    const ids = items.map(({ external_id }) => external_id);
    await store.post({
      items,
      menus,
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: ids }],
    });
    const answers = await Promise.all([
      ...ids.map((id) => mark(store, `items/${id}`, { in_stock: false })),
      mark(store, 'items/i3', { prep_type: 'x'.repeat(5_000) }),
      mark(store, 'items/nothing', { in_stock: false }),
      ...ids.map((id) => mark(store, `items/${id}`, { prep_type: 'grill' })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...ids.map(() => 200),
      422,
      404,
      ...ids.map(() => 200),
    ]);
    expect(itemsOf(await store.tree()).map(({ in_stock, prep_type }) => [in_stock, prep_type])).toEqual(
      ids.map(() => [false, 'grill']),
    );
    await limited.stop();
  });

  it('shows on the next read of both forms, with a new tag', async () => {
    const store = await newStore();
    const before = (await store.tree()).headers.get('etag');
    const { status, body } = await mark(store, 'items/i', { in_stock: false, prep_type: 'grill' });
    const id = itemsOf(await store.tree())[0]?.id;
    expect([status, body]).toEqual([200, { id, external_id: 'i', in_stock: false, prep_type: 'grill' }]);
    const tree = await store.tree();
    expect(itemsOf(tree)).toMatchObject([{ in_stock: false, prep_type: 'grill' }]);
    expect(tree.headers.get('etag')).not.toBe(before);
    const { items } = (await store.flat()).body;
    expect([items?.[0]?.in_stock, Object.hasOwn(items?.[0] ?? {}, 'prep_type')]).toEqual([false, false]);
    for (const prep_type of ['', null]) {
      await mark(store, 'items/i', { prep_type: 'grill' });
      const { body: taken } = await mark(store, 'items/i', { prep_type });
      expect(taken).toEqual({ id, external_id: 'i', in_stock: false });
      expect(itemsOf(await store.tree())[0]).not.toHaveProperty('prep_type');
    }
  });

  it.each([
    ['items/i', chain(), true],
    ['items/i', chain({ in_stock: false }), false],
    ['modifier_items/o', chain(), true],
  ])('is taken away by null, so that the menu decides: %s', async (path, menu, in_stock) => {
    const store = await newStore(menu);
    await mark(store, path, { in_stock: !in_stock });
    expect((await mark(store, path, { in_stock: null })).body).toMatchObject({ in_stock });
    expect((await mark(store, path, {})).body).toMatchObject({ in_stock });
    const { body: feed } = await store.manage<{ events: { type: string; data: object }[] }>('../events');
    expect(feed.events.slice(1)).toMatchObject([
      { type: 'menu.stock_changed', data: { in_stock: !in_stock } },
      { type: 'menu.stock_changed', data: { in_stock } },
    ]);
  });

  it('works on modifier items', async () => {
    const store = await newStore();
    expect((await mark(store, 'modifier_items/o', { in_stock: false })).status).toBe(200);
    expect(itemsOf(await store.tree())[0]?.modifier_groups[0]?.modifier_items).toMatchObject([
      { in_stock: false },
    ]);
  });

  it('changes nothing when it says nothing new', async () => {
    const store = await newStore();
    await mark(store, 'items/i', { in_stock: false });
    const before = (await store.tree()).headers.get('etag');
    for (const body of [{}, { prep_type: null }, { in_stock: false }])
      expect((await mark(store, 'items/i', body)).body).toMatchObject({ in_stock: false });
    expect((await store.tree()).headers.get('etag')).toBe(before);
  });

  it.each([
    ['in stock', chain(), true],
    ['stated in stock', chain({ in_stock: true }), true],
    ['stated out of stock', chain({ in_stock: false }), false],
  ])('is no event where the item already is %s', async (_what, menu, in_stock) => {
    const store = await newStore(menu);
    const before = (await store.tree()).headers.get('etag');
    const { status, body } = await mark(store, 'items/i', { in_stock });
    expect([status, body]).toMatchObject([200, { in_stock }]);
    expect((await store.tree()).headers.get('etag')).toBe(before);
    await mark(store, 'items/i', { in_stock: !in_stock });
    const { body: feed } = await store.manage<{ events: { type: string; data: object }[] }>('../events');
    expect(feed.events.slice(1)).toMatchObject([
      { type: 'menu.stock_changed', data: { in_stock: !in_stock } },
    ]);
  });

  it('stays where the menu said so at the time: an upload that leaves in_stock out does not lift it', async () => {
    const store = await newStore(chain({ in_stock: false }));
    await mark(store, 'items/i', { in_stock: false });
    await store.post(chain({ price: 2 }));
    expect(await stockOf(store)).toEqual([false]);
  });

  it('survives an upload that leaves in_stock out, and gives way to one that states it', async () => {
    const store = await newStore();
    await mark(store, 'items/i', { in_stock: false, prep_type: 'grill' });
    await store.post(chain({ price: 2 }));
    expect(await stockOf(store)).toEqual([false]);
    await store.post(chain({ price: 2, in_stock: true }));
    expect(await stockOf(store)).toEqual([true]);
    await store.post(chain({ price: 2 }));
    expect(await stockOf(store)).toEqual([true]);
    expect(itemsOf(await store.tree())).toMatchObject([{ prep_type: 'grill' }]);
  });

  it('outweighs what was posted before it', async () => {
    const store = await newStore(chain({ in_stock: false }));
    expect(await stockOf(store)).toEqual([false]);
    expect((await mark(store, 'items/i', { prep_type: 'x' })).body).toMatchObject({ in_stock: false });
    expect((await mark(store, 'items/i', { in_stock: true })).body).toMatchObject({ in_stock: true });
    expect(await stockOf(store)).toEqual([true]);
  });

  it('makes the same upload a new version only when it moves the mark', async () => {
    const store = await newStore(chain({ in_stock: true }));
    const version = async () =>
      (await store.manage<{ current_version: number }>('versions')).body.current_version;
    await store.post(chain({ in_stock: true }));
    expect(await version()).toBe(1);
    await mark(store, 'items/i', { in_stock: false });
    await store.post(chain({ in_stock: true }));
    expect([await version(), await stockOf(store)]).toEqual([2, [true]]);
    await mark(store, 'items/i', { in_stock: true });
    await store.post(chain({ in_stock: true }));
    expect(await version()).toBe(2);
  });

  it('survives an absence of the item', async () => {
    const store = await newStore();
    await mark(store, 'items/i', { in_stock: false });
    await store.post({ items: [] });
    await store.post(chain());
    expect(await stockOf(store)).toEqual([false]);
  });

  const strange = [
    'a/b',
    '100%',
    '%2F',
    ' spaces ',
    '?x=1#y',
    '💶',
    'ñ'.repeat(255),
    '😀'.repeat(255),
    '+',
    ';',
  ];
  it.each(strange)('finds the external_id %j', async (externalId) => {
    const store = await newStore({
      items: [item(externalId)],
      modifier_items: [modifierItem(externalId)],
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: [externalId] }],
    });
    const encoded = encodeURIComponent(externalId);
    for (const list of ['items', 'modifier_items'])
      expect((await mark(store, `${list}/${encoded}`, { in_stock: false })).body).toMatchObject({
        external_id: externalId,
        in_stock: false,
      });
  });
});

describe('refusals', () => {
  it.each([
    ['items/none', 'Item not found'],
    ['items/o', 'Item not found'],
    ['modifier_items/i', 'Modifier item not found'],
    ['items/%00', 'Item not found'],
    ['items/%ff', 'Item not found'],
    [`items/${'x'.repeat(300)}`, 'Item not found'],
  ])('are 404 for %s', async (path, detail) => {
    const store = await newStore();
    const { status, body } = await mark(store, path, { in_stock: 'not looked at' });
    expect([status, body]).toEqual([404, { detail }]);
  });

  it('are 404 for an item that is no longer on the menu', async () => {
    const store = await newStore();
    await store.post({ items: [] });
    expect((await mark(store, 'items/i', { in_stock: false })).status).toBe(404);
  });

  it('are 422 for a wrong shape and 403 without stock:write', async () => {
    const store = await newStore();
    expect((await mark(store, 'items/i', { in_stock: 1, prep_type: 5 })).body).toMatchObject({
      detail: [
        { loc: ['body', 'in_stock'], type: 'bool_type' },
        { loc: ['body', 'prep_type'], type: 'string_type' },
      ],
    });
    const other = await createTenant(service, ['read', 'menu:write']);
    const theirs = menuClient(service, other);
    await theirs.post(chain());
    expect((await mark(theirs, 'items/i', { in_stock: false })).status).toBe(403);
  });
});

describe('what can be ordered', () => {
  it('is the tree at that moment, with the reasons for the rest', async () => {
    const storeId = await createStore(service, tenant.merchantId, { timezone: 'Europe/Madrid' });
    const store = menuClient(service, { storeId, key: tenant.key });
    const evenings = [{ day_of_week: 'friday', time_periods: [{ start_time: '20:00', end_time: '02:00' }] }];
    const body = {
      ...chain(),
      menus: [
        { external_id: 'm', availability: [], category_external_ids: ['c'] },
        { external_id: 'late', availability: evenings, category_external_ids: ['c', 'd'] },
      ],
      categories: [
        { external_id: 'c', name: text('c'), item_external_ids: ['i', 'gone'] },
        { external_id: 'd', name: text('d'), item_external_ids: ['gin'] },
      ],
      items: [item('i', { modifier_external_ids: ['g'] }), item('gone'), item('gin')],
    };
    await store.post(body);
    await mark(store, 'items/gone', { in_stock: false });
    await mark(store, 'modifier_items/o', { in_stock: false });
    interface Available {
      menu_configuration: { external_id: string }[];
      left_out: unknown[];
    }
    const at = async (moment: string) =>
      (await store.manage<Available>(`available?at=${encodeURIComponent(moment)}`)).body;
    const gone = { kind: 'item', external_id: 'gone', reason: 'out_of_stock' };

    // Saturday, half past one in the night in Madrid: Friday's evening goes on.
    const late = await at('2026-11-14T00:30:00Z');
    expect(late).toMatchObject({
      at: '2026-11-14T00:30:00.000Z',
      timezone: 'Europe/Madrid',
      left_out: [gone],
    });
    expect(late.menu_configuration.map(({ external_id }) => external_id)).toEqual(['m', 'late']);
    expect(late.menu_configuration[0]).toMatchObject({
      categories: [
        { items: [{ external_id: 'i', modifier_groups: [{ external_id: 'g', modifier_items: [] }] }] },
      ],
    });

    const morning = await at('2026-11-14T10:00:00+01:00');
    expect(morning.left_out).toEqual([
      { kind: 'menu', external_id: 'late', reason: 'outside_hours' },
      gone,
      { kind: 'item', external_id: 'gin', reason: 'outside_hours' },
    ]);
    expect((await store.manage<{ at: string }>('available')).body.at).toMatch(/Z$/);
    expect((await store.manage('available?at=soon')).status).toBe(422);
  });
});
