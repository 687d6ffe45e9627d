import { describe, expect, it } from 'vitest';
import { chain, item, itemsOf, menuClient, modifierGroup } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant, storeKeyOf } from '../../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);

async function newStore() {
  const storeId = await createStore(service, tenant.merchantId);
  return menuClient(service, { storeId, key: tenant.key });
}

const NOTHING = { added: [], removed: [], changed: [], reordered: false };
const UNCHANGED = {
  menus: NOTHING,
  categories: NOTHING,
  items: NOTHING,
  modifier_groups: NOTHING,
  modifier_items: NOTHING,
};
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
const ONE_EACH = { menus: 1, categories: 1, items: 1, modifier_groups: 1, modifier_items: 1 };

interface Versions {
  readonly current_version: number;
  readonly versions: { version: number; content_hash: string }[];
}

describe('versions', () => {
  it('tell when, by which key, what and how much, the newest first', async () => {
    const store = await newStore();
    expect((await store.manage('versions')).body).toEqual({ current_version: 0, versions: [] });
    await store.post(chain());
    await store.post(chain({ price: 2 }));
    const { status, body } = await store.manage<Versions>('versions');
    const common = { published_at: TIME, key_id: tenant.keyId, content_hash: HASH, counts: ONE_EACH };
    expect([status, body]).toEqual([
      200,
      {
        current_version: 2,
        versions: [
          { version: 2, ...common },
          { version: 1, ...common },
        ],
      },
    ]);
    expect(new Set(body.versions.map(({ content_hash }) => content_hash)).size).toBe(2);
    const page = await store.manage<Versions>('versions?limit=1&before=2');
    expect(page.body.versions.map(({ version }) => version)).toEqual([1]);
  });

  it('come back as they were posted', async () => {
    const store = await newStore();
    await store.post({ ...chain({ in_stock: null, price: 1 }), unknown: [] });
    await store.post(chain({ price: 2, in_stock: false }));
    for (const coding of ['identity', 'gzip']) {
      const { body } = await store.manage('versions/1', { headers: { 'accept-encoding': coding } });
      expect(body).toEqual(chain({ price: 1 }));
    }
    expect((await store.manage('versions/2')).body).toEqual(chain({ price: 2, in_stock: false }));
  });

  it.each(['versions/3', 'versions/3/diff/1', 'versions/1/diff/3', 'versions/9007199254740991'])(
    'are 404 when there is none: %s',
    async (path) => {
      const store = await newStore();
      await store.post(chain());
      const { status, body } = await store.manage(path);
      expect([status, body]).toEqual([404, { detail: 'Menu version not found' }]);
    },
  );

  it.each(['versions/x', 'versions/0', 'versions/1.5'])(
    'are 422 when that is no number: %s',
    async (path) => {
      const { status, body } = await (await newStore()).manage(path);
      expect([status, body]).toMatchObject([422, { detail: [{ loc: ['path', 'version'] }] }]);
    },
  );

  it('can be compared', async () => {
    const store = await newStore();
    await store.post(chain());
    await store.post({
      ...chain({ price: 2, description: { translations: { en: 'x' } } }),
      modifier_items: [],
      modifier_groups: [],
      items: [item('i', { price: 2 }), item('j')],
    });
    const { status, body } = await store.manage('versions/1/diff/2');
    expect([status, body]).toEqual([
      200,
      {
        from: 1,
        to: 2,
        ...UNCHANGED,
        items: {
          added: ['j'],
          removed: [],
          changed: [{ external_id: 'i', fields: ['price', 'modifier_external_ids'] }],
          reordered: false,
        },
        modifier_groups: { ...NOTHING, removed: ['g'] },
        modifier_items: { ...NOTHING, removed: ['o'] },
      },
    ]);
  });
});

describe('restoring', () => {
  const restore = (
    store: Awaited<ReturnType<typeof newStore>>,
    version: number,
    headers: Record<string, string> = {},
  ) => store.manage(`versions/${version}/restore`, { method: 'POST', headers });

  it('publishes a version again as a new one, with the same ids', async () => {
    const store = await newStore();
    const first = await store.post(chain());
    await store.post({ items: [item('other')] });
    const { status, body } = await restore(store, 1);
    expect([status, body]).toEqual([
      200,
      {
        version: 3,
        restored_from: 1,
        published_at: TIME,
        key_id: tenant.keyId,
        content_hash: HASH,
        counts: ONE_EACH,
      },
    ]);
    expect((await store.tree()).body).toEqual(first.body);
  });

  it('changes nothing when it is current already', async () => {
    const store = await newStore();
    await store.post(chain());
    const before = (await store.tree()).headers.get('etag');
    expect((await restore(store, 1)).body).toMatchObject({ version: 1 });
    expect((await store.tree()).headers.get('etag')).toBe(before);
  });

  it('is done once per Idempotency-Key', async () => {
    const store = await newStore();
    await store.post(chain());
    await store.post(chain({ price: 2 }));
    const first = await restore(store, 1, { 'idempotency-key': 'a' });
    await store.post(chain({ price: 3 }));
    const again = await restore(store, 1, { 'idempotency-key': 'a' });
    expect(again.body).toEqual(first.body);
    expect(itemsOf(await store.tree()).map(({ price }) => price)).toEqual([3]);
  });

  it('takes the place of the version that is expected, and of no other', async () => {
    const store = await newStore();
    for (const price of [1, 2, 3]) await store.post(chain({ price }));
    const expecting = (version: number) =>
      store.manage(`versions/1/restore?expect=${version}`, { method: 'POST' });
    expect((await expecting(2)).status).toBe(412);
    expect(itemsOf(await store.tree()).map(({ price }) => price)).toEqual([3]);
    expect((await expecting(3)).body).toMatchObject({ version: 4, restored_from: 1 });
    // Its answer may have been lost.
    expect((await expecting(3)).body).toMatchObject({ version: 4 });
  });

  it('needs menu:write, after the version is found', async () => {
    const reader = await createTenant(service, ['read']);
    const store = menuClient(service, reader);
    expect((await restore(store, 1)).status).toBe(404);
    await menuClient(service, { ...reader, key: service.operatorKey }).post(chain());
    expect((await restore(store, 1)).status).toBe(403);
    const { body } = await store.manage<Versions>('versions');
    expect(body.versions).toMatchObject([{ version: 1, key_id: 'operator' }]);
  });
});

describe('checking', () => {
  const check = (
    store: Awaited<ReturnType<typeof newStore>>,
    body: unknown,
    headers: Record<string, string> = {},
  ) => store.manage('check', { method: 'POST', body, headers });

  it('answers what publishing would change, and publishes nothing', async () => {
    const store = await newStore();
    await store.post(chain());
    const { status, body } = await check(store, chain({ price: 200 }));
    expect([status, body]).toEqual([
      200,
      {
        current_version: 1,
        is_current: false,
        counts: ONE_EACH,
        tree_bytes: expect.any(Number) as number,
        warnings: [],
        warning_count: 0,
        diff: { ...UNCHANGED, items: { ...NOTHING, changed: [{ external_id: 'i', fields: ['price'] }] } },
      },
    ]);
    expect((await check(store, chain())).body).toMatchObject({ is_current: true, diff: UNCHANGED });
    expect((await store.manage<Versions>('versions')).body.current_version).toBe(1);
  });

  it('warns of what could be published and is probably not meant, with the marks of the store', async () => {
    const store = await newStore();
    const menu = {
      ...chain(),
      modifier_groups: [modifierGroup('g', { group_min: 1, modifier_item_external_ids: ['o'] })],
    };
    await store.post(menu);
    const before = await check(store, menu);
    expect(before.body).toMatchObject({ warnings: [], warning_count: 0 });
    await store.manage('modifier_items/o', { method: 'PATCH', body: { in_stock: false } });
    const after = await check(store, { ...menu, categories: [], menus: [] });
    expect(after.body).toMatchObject({
      warning_count: 2,
      warnings: [
        {
          loc: ['body', 'items', 0],
          msg: "The item 'i' is in no category",
          type: 'item_in_no_category',
          ctx: { external_id: 'i' },
        },
        {
          loc: ['body', 'modifier_groups', 0, 'group_min'],
          msg: "The modifier group 'g' needs 1 selected, but too many of its modifier items are sold out",
          type: 'group_unsatisfiable',
          ctx: { external_id: 'g' },
        },
      ],
    });
  });

  it('answers the 422 of publishing', async () => {
    const store = await newStore();
    const body = { ...chain(), modifier_items: [] };
    expect((await check(store, body)).body).toEqual((await store.post(body)).body);
    expect((await check(store, body)).status).toBe(422);
  });

  it('is a read, so it takes no Idempotency-Key: the same one may come with another menu', async () => {
    const store = await newStore();
    await check(store, chain(), { 'idempotency-key': 'b' });
    await store.post(chain());
    const other = await check(store, chain({ price: 9 }), { 'idempotency-key': 'b' });
    expect([other.status, other.body]).toMatchObject([200, { current_version: 1, is_current: false }]);
  });
});

describe('a menu state that is behind the newest version', () => {
  it.each([
    ['another menu', chain({ price: 3 }), 3],
    ['the newest version again', chain({ price: 2 }), 2],
  ])('catches up when %s is published', async (_what, menu, version) => {
    const storeId = await createStore(service, tenant.merchantId);
    const store = menuClient(service, { storeId, key: tenant.key });
    const seen = await store.post(chain({ price: 1 }));
    await store.post(chain({ price: 2 }));
    const storeKey = await storeKeyOf(service, { storeId });
    await service.db.withClient((client) =>
      client.query('UPDATE menu_states SET menu_version = 1 WHERE store_key = $1', [storeKey]),
    );
    const published = await store.post(menu, { 'if-match': seen.headers.get('etag') ?? '' });
    expect(published.status).toBe(200);
    expect(itemsOf(await store.tree())).toEqual(itemsOf(published));
    const { body } = await store.manage<Versions>('versions');
    expect([body.current_version, body.versions[0]?.version]).toEqual([version, version]);
  });
});

describe('versions past what is kept', () => {
  const kept = async (store: Awaited<ReturnType<typeof newStore>>) => {
    const { body } = await store.manage<Versions>('versions');
    return body.versions.map(({ version }) => version);
  };

  it('are removed, the oldest first, and their numbers never used again', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const small = await service.replica({ versionsKept: 3 });
    const store = menuClient(small, { storeId, key: tenant.key });
    for (const price of [1, 2, 3, 4, 5]) expect((await store.post(chain({ price }))).status).toBe(200);
    expect(await kept(store)).toEqual([5, 4, 3]);
    expect((await store.manage('versions/2')).status).toBe(404);
    expect((await store.manage('versions/2/restore', { method: 'POST' })).status).toBe(404);
    expect((await store.manage('versions/3/restore', { method: 'POST' })).status).toBe(200);
    expect(await kept(store)).toEqual([6, 5, 4]);
    expect((await store.tree()).body.menu_configuration).toHaveLength(1);
    await small.stop();
  });

  it('are removed by their bytes too; the current one stays whatever its size', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const other = menuClient(service, {
      storeId: await createStore(service, tenant.merchantId),
      key: tenant.key,
    });
    await other.post(chain());
    const small = await service.replica({ versionBytesKept: 1 });
    const store = menuClient(small, { storeId, key: tenant.key });
    for (const price of [1, 2, 3]) await store.post(chain({ price }));
    expect([await kept(store), await kept(other)]).toEqual([[3], [1]]);
    expect((await store.tree()).status).toBe(200);
    await small.stop();
  });
});

describe('an unknown key', () => {
  interface Checked {
    readonly warnings: { type: string; loc: unknown[]; msg: string }[];
  }
  const warned = async (body: unknown) => {
    const store = await newStore();
    const { body: checked } = await store.manage<Checked>('check', { method: 'POST', body });
    expect((await store.post(body)).status).toBe(200);
    return checked.warnings.filter(({ type }) => type === 'unknown_key');
  };

  it('that is close to a field which is missing is a warning', async () => {
    const { modifier_external_ids, ...bare } = chain().items[0] as Record<string, unknown>;
    const wrong = { ...chain(), items: [{ ...bare, modifier_group_external_ids: modifier_external_ids }] };
    expect(await warned(wrong)).toEqual([
      {
        loc: ['body', 'items', 0, 'modifier_group_external_ids'],
        msg: "There is no field 'modifier_group_external_ids', so it is ignored; did you mean 'modifier_external_ids'?",
        type: 'unknown_key',
        ctx: { did_you_mean: 'modifier_external_ids' },
      },
    ]);
    const { modifier_items, ...rest } = chain();
    const slips = await warned({
      ...rest,
      modifier_groups: [modifierGroup('g', { desciption: null })],
      modifierItems: modifier_items,
    });
    expect(slips.map(({ loc }) => loc)).toEqual([
      ['body', 'modifierItems'],
      ['body', 'modifier_groups', 0, 'desciption'],
    ]);
  });

  it('that is close to nothing is named once, with how often it comes', async () => {
    const store = await newStore();
    const items = chain().items.flatMap((one) =>
      ['a', 'b', 'c'].map((external_id) => ({ ...one, external_id, image_url: 'x', id: 7 })),
    );
    const { body } = await store.manage<Checked>('check', {
      method: 'POST',
      body: { ...chain(), categories: [], menus: [], items, source: 'till' },
    });
    expect(body.warnings.filter(({ type }) => type === 'ignored_key')).toEqual([
      {
        loc: ['body', 'source'],
        msg: "'source' is no field of the configuration and is ignored: once",
        type: 'ignored_key',
        ctx: { count: 1 },
      },
      {
        loc: ['body', 'items', 0, 'image_url'],
        msg: "'image_url' is no field of the items and is ignored: 3 times",
        type: 'ignored_key',
        ctx: { count: 3 },
      },
    ]);
  });

  it('is none where nothing is close, where the field is there too, and for what answers have', async () => {
    const body = { ...chain({ id: 7, prep_type: 'grill', colour: 'red', prices: 3 }), extra: 1 };
    expect(await warned(body)).toEqual([]);
  });

  it('costs little however many different ones there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`prise${i}`, 1]));
    expect(await warned(chain(many))).toEqual([]);
  });
});
