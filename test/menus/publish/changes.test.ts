import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../src/menu-files/changes-between.js';
import { applyChanges } from '../../../src/menus/publish/changes.js';
import { KINDS, LIST_OF, type Kind } from '../../../src/menus/kinds.js';
import { canonicalText } from '../../../src/menus/publish/canonical-text.js';
import { compilePrepare } from '../../../src/menus/publish/prepare.js';
import type { MenuConfiguration } from '../../../src/menus/shapes.js';
import { ErrorList } from '../../../src/support/error-details.js';
import { loadConfig } from '../../../src/config.js';
import { ask } from '../../harness/client.js';
import { chain, item, menuClient, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant } from '../../harness/tenant.js';
import { anyConfiguration } from '../arbitrary-menu.js';

const service = await useService();
const tenant = await createTenant(service);

const NOTHING = { added: [], removed: [], changed: [], reordered: false };
const UNCHANGED = {
  menus: NOTHING,
  categories: NOTHING,
  items: NOTHING,
  modifier_groups: NOTHING,
  modifier_items: NOTHING,
};

interface Changed {
  readonly version: number;
  readonly diff: object;
  readonly warnings: { type: string; loc: unknown[]; ctx?: object }[];
  readonly detail: { type: string; loc: unknown[]; msg: string; ctx?: object }[];
}

async function newStore(menu?: unknown) {
  const storeId = await createStore(service, tenant.merchantId);
  const store = menuClient(service, { storeId, key: tenant.key });
  if (menu !== undefined) await store.post(menu);
  return {
    ...store,
    change: (changes: unknown, { search = '', key = tenant.key, headers = {} } = {}) =>
      ask<Changed>(`${service.url}/manage/v1/stores/${storeId}/menu${search}`, {
        method: 'PATCH',
        key,
        body: { changes },
        headers,
      }),
    stored: async (version: number) => (await store.manage(`versions/${version}`)).body,
  };
}

const setPrice = (price: number) => [{ kind: 'item', external_id: 'i', set: { price } }];

describe('PATCH of a menu', () => {
  it('publishes one version with the difference and the warnings', async () => {
    const store = await newStore(chain({ description: text('kept') }));
    const { status, body } = await store.change([
      { kind: 'item', external_id: 'i', set: { price: 0, name: { translations: { es: 'Pan' } } } },
      { kind: 'item', external_id: 'j', add: true, set: { ...item('j'), description: null } },
      { kind: 'category', external_id: 'c', set: { item_external_ids: ['j', 'i'] } },
      { kind: 'item', external_id: 'i', set: { modifier_external_ids: null } },
      { kind: 'modifier_group', external_id: 'g', remove: true },
    ]);
    expect([status, body]).toEqual([
      200,
      {
        version: 2,
        diff: {
          ...UNCHANGED,
          categories: { ...NOTHING, changed: [{ external_id: 'c', fields: ['item_external_ids'] }] },
          items: {
            ...NOTHING,
            added: ['j'],
            changed: [
              { external_id: 'i', fields: ['name.translations.es', 'price', 'modifier_external_ids'] },
            ],
          },
          modifier_groups: { ...NOTHING, removed: ['g'] },
        },
        warnings: [
          {
            loc: ['body', 'changes', 0, 'set', 'price'],
            type: 'price_zero',
            msg: "The item 'i' costs nothing",
            ctx: { kind: 'item', external_id: 'i' },
          },
          ...['categories', 'items', 'modifier_items'].map((list) => ({
            loc: ['body'],
            type: 'language_missing',
            msg: expect.stringContaining("no text in 'es'") as string,
            ctx: expect.objectContaining({ language: 'es', list }) as object,
          })),
        ],
        warning_count: 4,
      },
    ]);
    const name = { translations: { en: 'i', es: 'Pan' } };
    expect(await store.stored(2)).toEqual({
      ...chain(),
      items: [item('i', { name, price: 0, description: text('kept') }), item('j')],
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: ['j', 'i'] }],
      modifier_groups: [],
    });
  });

  it('changes the configuration as posted, not as marked', async () => {
    const store = await newStore(chain());
    await store.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    await store.change(setPrice(7));
    expect(await store.stored(2)).toEqual(chain({ price: 7 }));
    expect((await store.flat()).body['items']).toMatchObject([{ in_stock: false }]);
  });

  it('leaves marks alone that no change states, where the menu states in_stock itself', async () => {
    const store = await newStore(chain({ in_stock: true }));
    const inStock = async () => (await store.flat()).body['items'];
    await store.manage('items/i', { method: 'PATCH', body: { in_stock: false, until: 'end_of_day' } });
    expect((await store.change(setPrice(100))).body).toMatchObject({ version: 1, diff: UNCHANGED });
    expect((await store.change(setPrice(7))).body.version).toBe(2);
    expect(await inStock()).toMatchObject([{ in_stock: false, price: 7 }]);
    await store.change([{ kind: 'item', external_id: 'i', set: { in_stock: true } }]);
    expect(await inStock()).toMatchObject([{ in_stock: true }]);
  });

  it('begins with nothing before the first publication', async () => {
    const store = await newStore();
    const { body } = await store.change([{ kind: 'item', external_id: 'a', add: true, set: item('a') }]);
    expect(body.version).toBe(1);
    expect(await store.stored(1)).toEqual({ items: [item('a')] });
  });

  it('publishes nothing where nothing changes, or with dry_run', async () => {
    const store = await newStore(chain());
    const etag = (await store.tree()).headers.get('etag');
    expect((await store.change(setPrice(100))).body).toMatchObject({ version: 1, diff: UNCHANGED });
    expect((await store.change([])).body).toMatchObject({ version: 1, diff: UNCHANGED });
    expect((await store.change(setPrice(5), { search: '?dry_run=true' })).body).toMatchObject({
      version: 1,
      diff: { items: { changed: [{ external_id: 'i', fields: ['price'] }] } },
    });
    expect((await store.tree()).headers.get('etag')).toBe(etag);
  });

  it('honours If-Match, and lets the own request be repeated', async () => {
    const store = await newStore(chain());
    const tag = (await store.tree()).headers.get('etag') ?? '';
    await store.change(setPrice(5));
    const other = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['menu:write'] });
    for (const key of [tenant.key, other.key]) {
      const refused = await store.change(setPrice(6), { headers: { 'if-match': tag }, key });
      expect(refused.status).toBe(412);
    }
    const gone = [{ kind: 'item', external_id: 'gone', remove: true }];
    expect((await store.change(gone, { headers: { 'if-match': tag } })).status).toBe(412);
    const dry = await store.change(setPrice(6), { headers: { 'if-match': tag }, search: '?dry_run=true' });
    expect(dry.status).toBe(412);
    const again = await store.change(setPrice(5), { headers: { 'if-match': tag } });
    expect([again.status, again.body.version]).toEqual([200, 2]);
  });

  it('loses none of the changes that are made at once', async () => {
    const items = Array.from({ length: 20 }, (_, i) => item(`i${i}`));
    const store = await newStore({ items });
    const answers = await Promise.all(
      items.map(({ external_id }, i) => store.change([{ kind: 'item', external_id, set: { price: i } }])),
    );
    expect(answers.map(({ status }) => status)).toEqual(items.map(() => 200));
    expect(await store.stored(21)).toEqual({ items: items.map((one, i) => ({ ...one, price: i })) });
  });

  it('needs menu:write', async () => {
    const store = await newStore(chain());
    const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    expect((await store.change(setPrice(5), { key })).status).toBe(403);
  });
});

describe('an error of a change', () => {
  const errorsOf = async (changes: unknown, menu: unknown = chain()) => {
    const store = await newStore(menu);
    const { status, body } = await store.change(changes);
    expect(status).toBe(422);
    expect((await store.manage<{ current_version: number }>('versions')).body.current_version).toBe(1);
    return body.detail.map(({ type, loc, ctx }) => [type, loc.slice(1), ctx]);
  };
  const ofItem = (external_id: string) => ({ kind: 'item', external_id });

  it('tells of every change that cannot be applied, with the nearest', async () => {
    const store = await newStore({ items: [item('flat-white')] });
    const { body } = await store.change([
      { kind: 'item', external_id: 'flat-whit', set: { price: 1 } },
      { kind: 'item', external_id: 'flat-white', add: true, set: item('flat-white') },
      { kind: 'item', external_id: 'flat-white' },
      { kind: 'item', external_id: 'flat-white', remove: true, set: {} },
      { kind: 'item', external_id: 'flat-white', set: { external_id: 'other' } },
      { kind: 'category', external_id: 'c', remove: true },
      { kind: 'item', external_id: 'flat-white', set: { tax: -1 } },
    ]);
    expect(body.detail.map(({ type, loc }) => [type, ...loc.slice(2)])).toEqual([
      ['unknown_entity', 0, 'external_id'],
      ['duplicate_external_id', 1, 'external_id'],
      ['value_error', 2],
      ['value_error', 3, 'remove'],
      ['value_error', 4, 'set', 'external_id'],
      ['unknown_entity', 5, 'external_id'],
      ['greater_than_equal', 6, 'set', 'tax'],
    ]);
    expect(body.detail[0]?.msg).toBe("No item has the external_id 'flat-whit'; did you mean 'flat-white'?");
  });

  it('stands at the field of the change that set it', async () => {
    expect(
      await errorsOf([
        { kind: 'item', external_id: 'i', set: { price: 'x', name: { translations: { en: 5 } } } },
        { kind: 'item', external_id: 'i', set: { name: { translations: { es: 'fine' } }, tax: null } },
        { kind: 'menu', external_id: 'm', set: { availability: [{ day_of_week: 'Noday' }] } },
        { kind: 'item', external_id: 'new', add: true, set: { name: text('n'), price: 1, tax: 1 } },
        { kind: 'category', external_id: 'c', set: { item_external_ids: ['i', 'nowhere'] } },
      ]),
    ).toEqual([
      ['string_type', ['changes', 0, 'set', 'name', 'translations', 'en'], ofItem('i')],
      ['int_type', ['changes', 0, 'set', 'price'], ofItem('i')],
      ['missing', ['changes', 1, 'set', 'tax'], ofItem('i')],
      ['missing', ['changes', 3, 'set', 'sell_separately'], ofItem('new')],
      [
        'value_error',
        ['changes', 2, 'set', 'availability', 0, 'day_of_week'],
        expect.objectContaining({ kind: 'menu' }),
      ],
      [
        'missing',
        ['changes', 2, 'set', 'availability', 0, 'time_periods'],
        { kind: 'menu', external_id: 'm' },
      ],
      [
        'unresolved_reference',
        ['changes', 4, 'set', 'item_external_ids', 1],
        { kind: 'category', external_id: 'c' },
      ],
    ]);
  });

  it('stands at the removal of what others still refer to, and names them', async () => {
    expect(
      await errorsOf([
        { kind: 'item', external_id: 'i', remove: true },
        { kind: 'menu', external_id: 'm', set: { name: text('x') } },
      ]),
    ).toEqual([
      [
        'unresolved_reference',
        ['changes', 0],
        { kind: 'category', external_id: 'c', path: ['item_external_ids', 0] },
      ],
    ]);
  });

  it('stands at the last change of the entity where no field of it is at error', async () => {
    const group = { group_min: 1, group_max: 2 };
    const menu = chain();
    const limited = { ...menu, modifier_groups: menu.modifier_groups.map((one) => ({ ...one, ...group })) };
    expect(
      await errorsOf([{ kind: 'modifier_group', external_id: 'g', set: { group_min: 3 } }], limited),
    ).toEqual([
      [
        'value_error',
        ['changes', 0],
        expect.objectContaining({ kind: 'modifier_group', external_id: 'g', path: ['group_max'] }),
      ],
    ]);
  });

  it('in the shape of the changes stands at its place', async () => {
    expect(await errorsOf([{ kind: 'dish', external_id: '', set: 5 }])).toEqual([
      ['enum', ['changes', 0, 'kind'], expect.anything()],
      ['string_too_short', ['changes', 0, 'external_id'], expect.anything()],
      ['dict_type', ['changes', 0, 'set'], undefined],
    ]);
  });
});

describe('applying changes', () => {
  const { prepare: posted } = compilePrepare(loadConfig({}).limits);
  const hashOf = (configuration: unknown) =>
    Buffer.from(posted(Buffer.from(JSON.stringify(configuration))).contentHash).toString('hex');

  it('gives what editing the JSON and posting it gives', () => {
    fc.assert(
      fc.property(anyConfiguration, anyConfiguration, (before, after) => {
        const errors = new ErrorList();
        const { configuration } = applyChanges(before, changesBetween(before, after) ?? [], errors);
        expect(errors.toArray()).toEqual([]);
        expect(hashOf(configuration)).toBe(hashOf(edited(before, after)));
      }),
    );
  });

  it('leaves the configuration that it is given as it was', () => {
    fc.assert(
      fc.property(anyConfiguration, anyConfiguration, (before, after) => {
        const text = canonicalText(before);
        applyChanges(before, changesBetween(before, after) ?? [], new ErrorList());
        expect(canonicalText(before)).toBe(text);
      }),
    );
  });
});

type Entity = Record<string, unknown> & { readonly external_id: string };
const listOf = (configuration: MenuConfiguration, kind: Kind) =>
  (configuration[LIST_OF[kind]] ?? []) as readonly Entity[];

/** The same by hand: entities that stay keep their place, new ones follow. */
function edited(before: MenuConfiguration, after: MenuConfiguration) {
  const lists = KINDS.map((kind) => {
    const later = new Map(listOf(after, kind).map((entity) => [entity.external_id, entity]));
    const kept = listOf(before, kind).flatMap(({ external_id }) => later.get(external_id) ?? []);
    return [LIST_OF[kind], [...new Set([...kept, ...later.values()])]] as const;
  });
  return Object.fromEntries(lists);
}
