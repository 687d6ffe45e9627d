import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entitiesOf, KINDS } from '../../src/menus/kinds.js';
import { KEPT_FIELDS, keepFields } from '../../src/menus/rollouts/keep.js';
import { ask, type Ask } from '../harness/client.js';
import { readFeed } from '../harness/events.js';
import { chain, item, menuClient } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createKey, createMerchant, createStore, createTenant } from '../harness/tenant.js';
import { anyConfiguration } from './arbitrary-menu.js';

const service = await useService();
const tenant = await createTenant(service);

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly late_by_seconds?: number;
  readonly stores: { store_id: string; result?: string; version?: number; detail?: string }[];
  readonly detail: { type: string; loc: unknown[] }[];
}

const send = <T = Shown>(path = '', request: Ask = {}) =>
  ask<T>(`${service.url}/manage/v1/menu/publications${path}`, { key: tenant.key, ...request });
const publish = (body: object, path = '', more: Ask = {}) => send(path, { method: 'POST', body, ...more });
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

async function newStore(menu?: object, merchantId = tenant.merchantId) {
  const storeId = await createStore(service, merchantId);
  const client = menuClient(service, { storeId, key: service.operatorKey });
  if (menu !== undefined) await client.post(menu);
  const stored = async (version: number) => (await client.manage(`versions/${version}`)).body;
  return { ...client, id: storeId, stored };
}

/** Lets the clock tick until the publication is over. */
async function untilDone(id: string): Promise<Shown> {
  await expect
    .poll(
      async () => {
        await service.runDuePublications();
        return (await send(`/${id}`)).body.status;
      },
      { timeout: 60_000 },
    )
    .toBe('done');
  return (await send(`/${id}`)).body;
}

/** Moves the time of a scheduled publication, as if it had been waited for. */
const moveTime = (id: string, seconds: number) =>
  service.db.query({
    name: 'test_move_time',
    text: `UPDATE menu_publications SET at = clock_timestamp() - make_interval(secs => $2) WHERE id = $1`,
    values: [id, seconds],
  });

describe('a publication at once', () => {
  it('publishes the menu of a store in others, and keeps the fields that are to stay', async () => {
    const source = await newStore(chain({ price: 500, prep_time: 9 }));
    const [empty, own, same] = await Promise.all([
      newStore(),
      newStore(chain({ price: 700, in_stock: false, name: { translations: { en: 'Old' } } })),
      newStore(chain({ price: 500, prep_time: 9 })),
    ]);
    const body = {
      from: { store_id: source.id },
      store_ids: [empty.id, own.id, same.id, own.id],
      keep: ['price', 'in_stock', 'prep_time'],
      label: 'Winter',
    };
    const stores = [
      {
        store_id: empty.id,
        result: 'published',
        from_version: 0,
        counts: { added: 5, removed: 0, changed: 0 },
      },
      {
        store_id: own.id,
        result: 'published',
        from_version: 1,
        counts: { added: 0, removed: 0, changed: 1 },
      },
      {
        store_id: same.id,
        result: 'unchanged',
        from_version: 1,
        counts: { added: 0, removed: 0, changed: 0 },
      },
    ];
    const dry = await publish(body, '?dry_run=true');
    expect([dry.status, dry.body]).toEqual([200, { status: 'done', stores }]);
    expect((await empty.manage<{ current_version: number }>('versions')).body.current_version).toBe(0);

    const { status, body: done } = await publish(body);
    const versions = [1, 2, 1];
    expect([status, done]).toEqual([
      200,
      {
        id: expect.any(String) as string,
        status: 'done',
        label: 'Winter',
        keep: ['price', 'in_stock', 'prep_time'],
        created_at: expect.any(String) as string,
        key_id: tenant.keyId,
        stores: stores.map((store, i) => ({ ...store, version: versions[i] })),
      },
    ]);
    expect(await own.stored(2)).toEqual(chain({ price: 700, in_stock: false }));
    expect(await empty.stored(1)).toEqual(chain({ price: 500, prep_time: 9 }));
    const feed = await readFeed(service, { storeId: own.id, key: tenant.key }, { types: 'menu.published' });
    expect(feed.body.events.at(-1)?.data).toEqual({
      version: 2,
      publication_id: done.id,
      key_id: tenant.keyId,
    });
  });

  describe('to a store of another currency', () => {
    const inCurrency = async (currency: string, menu?: object) => {
      const store = await newStore(menu);
      const url = `${service.url}/manage/v1/stores/${store.id}`;
      const body = { currency };
      expect((await ask(url, { method: 'PATCH', key: service.operatorKey, body })).status).toBe(200);
      return store;
    };
    const prices = ['price', 'tax', 'price_change', 'tax_change'];
    const differs = (index: number) => ({
      loc: ['body', 'store_ids', index],
      type: 'currency_differs',
      msg: 'The menu has prices in EUR, the store in JPY: keep every price of the store, or convert',
      ctx: { currency: 'EUR', store_currency: 'JPY' },
    });

    it('is refused at its place, and nothing is published anywhere', async () => {
      const source = await inCurrency('EUR', chain({ price: 350 }));
      const [near, unstated, far] = [await inCurrency('EUR'), await newStore(), await inCurrency('JPY')];
      const body = { from: { store_id: source.id }, store_ids: [near.id, unstated.id, far.id] };
      for (const path of ['', '?dry_run=true'])
        for (const keep of [[], ['price', 'tax'], prices]) {
          const { status, body: refused } = await publish({ ...body, keep }, path);
          expect([status, refused]).toEqual([422, { detail: [differs(2)] }]);
        }
      expect((await near.manage<{ current_version: number }>('versions')).body.current_version).toBe(0);
      const menu = { ...body, from: undefined, menu: chain() };
      expect((await publish(menu)).body.detail).toEqual([differs(2)]);
      const mixed = await publish({ ...menu, store_ids: [unstated.id, near.id, far.id] });
      expect(mixed.body.detail).toEqual([differs(2)]);
      const rest = await publish({ ...body, store_ids: [near.id, unstated.id] });
      expect(rest.body.stores.map(({ result }) => result)).toEqual(['published', 'published']);
    });

    it('publishes what keeps every price and brings none of its own, also when it is time', async () => {
      const source = await inCurrency('EUR', chain({ price: 350 }));
      const far = await inCurrency('JPY', chain({ price: 600, prep_time: 3 }));
      const body = { from: { store_id: source.id }, store_ids: [far.id], keep: prices };
      const { body: done } = await publish(body);
      expect(done.stores.map(({ result }) => result)).toEqual(['published']);
      expect(await far.stored(2)).toEqual(chain({ price: 600 }));

      const scheduled = await publish({ ...body, at: inMs(60_000) });
      expect(scheduled.status).toBe(202);
      await far.post({ items: [], menus: [], categories: [], modifier_groups: [], modifier_items: [] });
      await moveTime(scheduled.body.id, 1);
      const { stores } = await untilDone(scheduled.body.id);
      expect(stores.map(({ result, detail }) => [result, detail])).toEqual([['refused', differs(0).msg]]);
      expect((await publish(body)).body.detail).toEqual([differs(0)]);
    });

    it('converts every amount with the rate, rounded half up', async () => {
      const priced = (price: number, tax: number, change: number) => {
        const menu = chain({ price, tax });
        const [modifier] = menu.modifier_items;
        return { ...menu, modifier_items: [{ ...modifier, price_change: change, tax_change: 0 - change }] };
      };
      const source = await inCurrency('EUR', priced(350, 100, 10));
      const [near, far] = [await inCurrency('EUR'), await inCurrency('JPY')];
      const body = {
        from: { store_id: source.id },
        store_ids: [near.id, far.id],
        convert: { rate: '162.35' },
      };
      expect((await publish(body)).body.stores.map(({ result }) => result)).toEqual([
        'published',
        'published',
      ]);
      expect(await near.stored(1)).toEqual(priced(350, 100, 10));
      // 568.225, 162.35 and 16.235 yen.
      expect(await far.stored(1)).toEqual(priced(568, 162, 16));
      await publish({ ...body, convert: { rate: '0.5' } });
      // 1.75, 0.5 and 0.05 yen.
      expect(await far.stored(2)).toEqual(priced(2, 1, 0));
    });

    it('is not converted from a store without a currency', async () => {
      const [source, far] = [await newStore(chain()), await inCurrency('JPY')];
      const body = { from: { store_id: source.id }, store_ids: [far.id], convert: { rate: '162.35' } };
      const { status, body: refused } = await publish(body);
      const msg = 'Value error, the menu has no currency to convert from';
      expect([status, refused.detail]).toMatchObject([422, [{ loc: ['body', 'convert'], msg }]]);
    });

    it('is not converted to a store without a currency, also when it is time', async () => {
      const [source, far] = [await inCurrency('EUR', chain({ price: 350 })), await inCurrency('JPY')];
      const unstated = await newStore();
      const body = { from: { store_id: source.id }, store_ids: [far.id, unstated.id] };
      const convert = { rate: '162.35' };
      const { status, body: refused } = await publish({ ...body, convert });
      const msg = 'Value error, the store has no currency to convert to';
      expect([status, refused.detail]).toMatchObject([422, [{ loc: ['body', 'store_ids', 1], msg }]]);
      const later = { ...body, store_ids: [far.id], convert, at: inMs(60_000) };
      const scheduled = await publish(later);
      expect(scheduled.status).toBe(202);
      const url = `${service.url}/manage/v1/stores/${far.id}`;
      await ask(url, { method: 'PATCH', key: service.operatorKey, body: { currency: null } });
      await moveTime(scheduled.body.id, 1);
      const { stores } = await untilDone(scheduled.body.id);
      expect(stores).toMatchObject([{ result: 'refused', detail: msg }]);
    });

    it.each(['0', '0.0', '-1', '1e3', 'x', '', '1.'])('refuses the rate %j', async (rate) => {
      const source = await inCurrency('EUR', chain());
      const { status, body } = await publish({
        from: { store_id: source.id },
        store_ids: [source.id],
        convert: { rate },
      });
      expect([status, body.detail.map(({ loc, type }) => [loc, type])]).toEqual([
        422,
        [[['body', 'convert', 'rate'], 'value_error']],
      ]);
    });
  });

  it('counts as one POST of each store', async () => {
    const limited = await service.replica({ menuPostsPerMinute: 2 });
    const [source, first, second] = [await newStore(chain()), await newStore(), await newStore()];
    const to = (...ids: string[]) =>
      ask(`${limited.url}/manage/v1/menu/publications?dry_run=true`, {
        method: 'POST',
        key: service.operatorKey,
        body: { from: { store_id: source.id }, store_ids: ids },
      });
    const client = menuClient(limited, { storeId: first.id, key: tenant.key });
    expect((await client.post(chain())).status).toBe(200);
    expect((await to(second.id)).status).toBe(200);
    expect((await to(first.id, second.id)).status).toBe(200);
    expect((await client.post(chain({ price: 120 }))).status).toBe(429);
    await limited.stop();
  });

  it('refuses a version that is expected of a store to which nothing is sent', async () => {
    const [one, other] = [await newStore(chain()), await newStore(chain())];
    const body = { menu: chain(), store_ids: [one.id], expect: { [one.id]: 1, [other.id]: 1 } };
    const { status, body: refused } = await publish(body);
    const error = { loc: ['body', 'expect', other.id], type: 'unresolved_reference' };
    expect([status, refused.detail]).toMatchObject([422, [error]]);
  });

  it('leaves alone a store that has changed since, or that refuses, and tells it there', async () => {
    const limited = await service.replica({ treeBytes: 800 });
    const [first, long, fine] = await Promise.all([newStore(chain()), newStore(chain()), newStore(chain())]);
    await long.manage('items/i', { method: 'PATCH', body: { prep_type: 'x'.repeat(200) } });
    const body = {
      menu: { items: [item('i')], menus: chain().menus, categories: chain().categories },
      store_ids: [first.id, long.id, fine.id],
      expect: { [first.id]: 0, [fine.id]: 1 },
    };
    const answer = await ask<Shown>(`${limited.url}/manage/v1/menu/publications`, {
      method: 'POST',
      key: tenant.key,
      body,
    });
    expect(answer.body.stores.map(({ result, detail }) => [result, detail])).toEqual([
      ['changed_since', 'Version 1 is current, not 0'],
      ['refused', expect.stringMatching(/^The tree could take/)],
      ['published', undefined],
    ]);
    const types = { types: 'menu.publication_refused' };
    for (const [store, result] of [
      [first, 'changed_since'],
      [long, 'refused'],
    ] as const) {
      const feed = await readFeed(service, { storeId: store.id, key: tenant.key }, types);
      expect(feed.body.events.map(({ data }) => data)).toEqual([
        {
          publication_id: answer.body.id,
          result,
          detail: expect.any(String) as string,
          key_id: tenant.keyId,
        },
      ]);
    }
  });

  it('replaces sold-out marks that the same menu contradicts, and a dry run says so', async () => {
    const menu = chain({ in_stock: true });
    const [source, marked, agreed] = await Promise.all([newStore(menu), newStore(menu), newStore(menu)]);
    await marked.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    await agreed.manage('items/i', { method: 'PATCH', body: { in_stock: true } });
    const body = { from: { store_id: source.id }, store_ids: [marked.id, agreed.id] };
    const resultsOf = ({ body: { stores } }: { body: Shown }) => stores.map(({ result }) => result);
    const dry = await publish(body, '?dry_run=true');
    expect(resultsOf(dry)).toEqual(['published', 'unchanged']);
    expect((await marked.manage<{ current_version: number }>('versions')).body.current_version).toBe(1);
    expect(resultsOf(await publish(body))).toEqual(resultsOf(dry));
    expect(resultsOf(await publish(body, '?dry_run=true'))).toEqual(['unchanged', 'unchanged']);
  });

  it('keeps what is sold out where in_stock is kept, also by a mark', async () => {
    const menu = chain({ in_stock: true });
    const [source, marked] = await Promise.all([
      newStore(chain({ in_stock: true, price: 7 })),
      newStore(menu),
    ]);
    await marked.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    const body = { from: { store_id: source.id }, store_ids: [marked.id], keep: ['in_stock'] };
    expect((await publish(body)).body.stores).toMatchObject([{ result: 'published' }]);
    expect((await marked.flat()).body['items']).toMatchObject([{ in_stock: false, price: 7 }]);
    expect((await publish(body, '?dry_run=true')).body.stores).toMatchObject([{ result: 'unchanged' }]);
    expect((await publish(body)).body.stores).toMatchObject([{ result: 'unchanged' }]);
  });

  it('is done once per Idempotency-Key', async () => {
    const store = await newStore();
    const body = { menu: { items: [item('a')] }, store_ids: [store.id] };
    const headers = { 'idempotency-key': 'once' };
    const first = await publish(body, '', { headers });
    await store.post({ items: [item('b')] });
    const again = await publish(body, '', { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await store.manage<{ current_version: number }>('versions')).body.current_version).toBe(2);
    expect((await publish({ ...body, label: 'x' }, '', { headers })).status).toBe(409);
  });

  it('is refused as a whole where it names what there is not, or what is not the caller’s', async () => {
    const store = await newStore();
    const foreign = await newStore(chain(), await createMerchant(service));
    const { key } = await createKey(service, {
      merchant_id: tenant.merchantId,
      store_ids: [tenant.storeId],
      permissions: ['read', 'menu:write'],
    });
    const errorsOf = async (body: object, by = tenant.key) => {
      const answer = await publish(body, '', { key: by });
      return [answer.status, answer.body.detail.map(({ type, loc }) => [type, ...loc.slice(1)])];
    };
    const menu = { items: [item('a')] };
    expect(await errorsOf({ menu, store_ids: [store.id, foreign.id, 'x'] })).toEqual([
      422,
      [
        ['unresolved_reference', 'store_ids', 1],
        ['unresolved_reference', 'store_ids', 2],
      ],
    ]);
    expect(await errorsOf({ menu, store_ids: [store.id] }, key)).toEqual([
      422,
      [['unresolved_reference', 'store_ids', 0]],
    ]);
    expect(await errorsOf({ menu, store_ids: [store.id, foreign.id] }, service.operatorKey)).toEqual([
      422,
      [['unresolved_reference', 'store_ids', 1]],
    ]);
    for (const [from, place] of [
      [{ store_id: foreign.id }, ['unresolved_reference', 'from', 'store_id']],
      [{ store_id: store.id }, ['value_error', 'from', 'store_id']],
      [{ store_id: store.id, version: 3 }, ['unresolved_reference', 'from', 'version']],
    ] as const)
      expect(await errorsOf({ from, store_ids: [store.id] })).toEqual([422, [place]]);
    expect(await errorsOf({ store_ids: [store.id] })).toEqual([422, [['missing', 'from']]]);
    expect(await errorsOf({ menu, from: { store_id: store.id }, store_ids: [store.id] })).toEqual([
      422,
      [['value_error']],
    ]);
    expect(await errorsOf({ menu: { items: [item('a', { price: -1 })] }, store_ids: [store.id] })).toEqual([
      422,
      [['greater_than_equal', 'menu', 'items', 0, 'price']],
    ]);
    for (const ms of [-60_000, 367 * 86_400_000])
      expect(await errorsOf({ menu, store_ids: [store.id], at: inMs(ms) })).toEqual([
        422,
        [['value_error', 'at']],
      ]);
    const many = Array.from({ length: 201 }, () => store.id);
    expect(await errorsOf({ menu, store_ids: many })).toEqual([422, [['too_long', 'store_ids']]]);
  });

  it('needs menu:write, and read to be seen', async () => {
    const wanted = { merchant_id: tenant.merchantId, permissions: ['stock:write'] };
    const { key } = await createKey(service, wanted);
    expect((await publish({}, '', { key })).status).toBe(403);
    expect((await send('', { key })).status).toBe(403);
  });

  it(
    'reaches 180 of 200 stores where 20 have changed since, and says so of each',
    { timeout: 300_000 },
    async () => {
      const merchantId = await createMerchant(service);
      const ids: string[] = [];
      for (let i = 0; i < 200; i += 1) ids.push(await createStore(service, merchantId));
      const expected = Object.fromEntries(ids.map((id, i) => [id, i % 10 === 3 ? 7 : 0]));
      const answer = await publish({ menu: chain(), store_ids: ids, expect: expected }, '', {
        key: service.operatorKey,
      });
      expect(answer.body.stores.map(({ store_id, result, version }) => [store_id, result, version])).toEqual(
        ids.map((id, i) => (i % 10 === 3 ? [id, 'changed_since', undefined] : [id, 'published', 1])),
      );
      const [row] = await service.db.query<{ count: number }>({
        name: 'test_versions',
        text: `SELECT count(*) FROM menu_versions v JOIN stores s USING (store_key) WHERE s.merchant_id = $1`,
        values: [merchantId],
      });
      expect(row?.count).toBe(180);
    },
  );
});

describe('a publication at a set time', () => {
  const schedule = async (ids: readonly string[], more: object = {}) =>
    (await publish({ menu: chain(), store_ids: ids, at: inMs(3_600_000), ...more })).body;

  it('is accepted, listed, and done at its time by one of the processes', async () => {
    const [store, gone] = await Promise.all([newStore(), newStore()]);
    const at = inMs(3_600_000);
    const { status, body } = await publish({ menu: chain(), store_ids: [gone.id, store.id], at });
    expect([status, body]).toMatchObject([
      202,
      { status: 'scheduled', at, stores: [{ store_id: gone.id }, { store_id: store.id }] },
    ]);
    const listed = await send<Shown[]>('?status=scheduled&limit=1');
    expect(listed.body.map(({ id }) => id)).toEqual([body.id]);
    await service.runDuePublications();
    expect((await send(`/${body.id}`)).body.status).toBe('scheduled');

    await ask(`${service.url}/manage/v1/stores/${gone.id}`, { method: 'DELETE', key: service.operatorKey });
    await moveTime(body.id, 1);
    const replica = await service.replica();
    await Promise.all([replica.runDuePublications(), service.runDuePublications()]);
    const done = await untilDone(body.id);
    expect(done.stores.map(({ result, version }) => [result, version])).toEqual([
      ['gone', undefined],
      ['published', 1],
    ]);
    expect(done).not.toHaveProperty('late_by_seconds');
    expect((await store.manage<{ current_version: number }>('versions')).body.current_version).toBe(1);
  });

  it('is answered the same again under its Idempotency-Key, whatever has become of its time and its stores', async () => {
    const [source, store, gone] = await Promise.all([newStore(chain()), newStore(), newStore()]);
    const at = inMs(3_000);
    const body = { from: { store_id: source.id }, store_ids: [store.id, gone.id], at };
    const headers = { 'idempotency-key': 'later' };
    const first = await publish(body, '', { headers });
    expect(first.status).toBe(202);
    const remove = { method: 'DELETE', key: service.operatorKey };
    for (const { id } of [source, gone]) await ask(`${service.url}/manage/v1/stores/${id}`, remove);
    await untilDone(first.body.id);
    const again = await publish(body, '', { headers });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await publish(body)).status).toBe(422);
  });

  it('that was missed runs as soon as it can, and says how late it is', async () => {
    const store = await newStore();
    const { id } = await schedule([store.id]);
    await moveTime(id, 90);
    expect((await untilDone(id)).late_by_seconds).toBeGreaterThanOrEqual(90);
  });

  it('can be cancelled until then', async () => {
    const store = await newStore();
    const { id } = await schedule([store.id]);
    const cancel = () => send(`/${id}`, { method: 'DELETE' });
    expect((await cancel()).status).toBe(204);
    expect((await send(`/${id}`)).body.status).toBe('cancelled');
    expect((await cancel()).status).toBe(409);
    await moveTime(id, 1);
    await service.runDuePublications();
    expect((await store.manage<{ current_version: number }>('versions')).body.current_version).toBe(0);
  });

  it('is seen only by keys that reach all its stores', async () => {
    const [store, other] = [await newStore(), await createTenant(service)];
    const { id } = await schedule([store.id, tenant.storeId]);
    const { key } = await createKey(service, {
      merchant_id: tenant.merchantId,
      store_ids: [store.id],
      permissions: ['read', 'menu:write'],
    });
    for (const by of [key, other.key]) {
      for (const method of ['GET', 'DELETE'])
        expect(await send(`/${id}`, { key: by, method })).toMatchObject({
          status: 404,
          body: { detail: 'Publication not found' },
        });
      expect((await send<Shown[]>('', { key: by })).body).toEqual([]);
    }
    expect((await send(`/${id}`, { key: service.operatorKey })).status).toBe(200);
  });

  it('is one of at most a hundred of a merchant', async () => {
    const own = await createTenant(service);
    const one = { menu: chain(), store_ids: [own.storeId], at: inMs(3_600_000) };
    for (let i = 0; i < 100; i += 1) expect((await publish(one, '', { key: own.key })).status).toBe(202);
    expect((await publish(one, '', { key: own.key })).status).toBe(409);
  });

  it('does not wait for those of another merchant', { timeout: 120_000 }, async () => {
    const [busy, other] = [await createTenant(service), await createTenant(service)];
    const due = async ({ key, storeId }: typeof busy) => {
      const wanted = { menu: chain(), store_ids: [storeId], at: inMs(3_600_000) };
      const { id } = (await publish(wanted, '', { key })).body;
      await moveTime(id, 1);
      return id;
    };
    for (let i = 0; i < 10; i += 1) await due(busy);
    const id = await due(other);
    await service.runDuePublications();
    await expect
      .poll(async () => (await send(`/${id}`, { key: other.key })).body.status, { timeout: 60_000 })
      .toBe('done');
    const left = await send<Shown[]>('?status=scheduled', { key: busy.key });
    expect(left.body).toHaveLength(9);
  });
});

describe('keeping fields', () => {
  it('takes them from the target where it has the entity, and everything else from the source', () => {
    fc.assert(
      fc.property(
        anyConfiguration,
        anyConfiguration,
        fc.subarray([...KEPT_FIELDS]),
        (source, target, keep) => {
          const kept = keepFields(source, target, keep);
          for (const kind of KINDS) {
            const own = new Map(entitiesOf(target, kind).map((one) => [one.external_id, one as object]));
            const theirs = entitiesOf(source, kind);
            expect(entitiesOf(kept, kind)).toHaveLength(theirs.length);
            entitiesOf(kept, kind).forEach((entity, i) => {
              const from = (field: string) =>
                (keep as string[]).includes(field)
                  ? (own.get(entity.external_id) ?? theirs[i])
                  : (theirs[i] as object);
              const fields = new Set([...Object.keys(entity), ...Object.keys(theirs[i] ?? {})]);
              for (const field of fields)
                expect(Reflect.get(entity, field)).toEqual(Reflect.get(from(field) ?? {}, field));
            });
          }
        },
      ),
    );
  });
});
