import { once } from 'node:events';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync, brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MenuConfiguration } from '../../src/menus/shapes.js';
import { anyConfiguration } from './arbitrary-menu.js';
import {
  chain,
  item,
  itemsOf,
  menuClient,
  modifierGroup,
  modifierItem,
  numberedMenu,
  text,
} from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);

async function newStore() {
  const storeId = await createStore(service, tenant.merchantId);
  return menuClient(service, { storeId, key: tenant.key });
}

const ANY_ID = expect.any(Number) as number;

describe('publishing and reading', () => {
  it('has an empty tree and five empty lists before the first publication', async () => {
    const store = await newStore();
    expect((await store.tree()).body).toEqual({ menu_configuration: [] });
    expect((await store.flat()).body).toEqual({
      menus: [],
      categories: [],
      items: [],
      modifier_groups: [],
      modifier_items: [],
    });
  });

  it('nests what was posted, with ids, defaults and in order', async () => {
    const store = await newStore();
    const { status, body } = await store.post({
      ...chain({ prep_type: 'ignored', in_stock: null }),
      unknown: 1,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      menu_configuration: [
        {
          id: ANY_ID,
          external_id: 'm',
          name: { translations: {} },
          availability: [],
          categories: [
            {
              id: ANY_ID,
              external_id: 'c',
              name: text('c'),
              items: [
                {
                  ...item('i'),
                  id: ANY_ID,
                  in_stock: true,
                  modifier_groups: [
                    {
                      ...modifierGroup('g'),
                      id: ANY_ID,
                      modifier_items: [{ ...modifierItem('o'), id: ANY_ID, in_stock: true }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
    expect((await store.tree()).body).toEqual(body);
    expect((await store.flat()).body).toEqual({
      menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'], id: ANY_ID }],
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: ['i'], id: ANY_ID }],
      items: [{ ...item('i'), in_stock: true, modifier_external_ids: ['g'], id: ANY_ID }],
      modifier_groups: [{ ...modifierGroup('g'), modifier_item_external_ids: ['o'], id: ANY_ID }],
      modifier_items: [{ ...modifierItem('o'), in_stock: true, id: ANY_ID }],
    });
  });

  it('gives any valid configuration back', { timeout: 60_000 }, async () => {
    const store = await newStore();
    await fc.assert(
      fc.asyncProperty(anyConfiguration, async (configuration) => {
        expect((await store.post(configuration)).status).toBe(200);
        const { body } = await store.flat<Record<string, Record<string, unknown>[]>>();
        for (const [list, entities] of Object.entries(body)) {
          const posted = (configuration[list as keyof MenuConfiguration] ?? []) as Record<string, unknown>[];
          const back = entities.map((entity, i) =>
            Object.fromEntries(
              Object.entries(entity).filter(([field]) => Object.hasOwn(posted[i] ?? {}, field)),
            ),
          );
          expect(back).toEqual(posted);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('takes gzip and br, and answers in either', async () => {
    const store = await newStore();
    const bytes = JSON.stringify(chain());
    const gz = await store.post(gzipSync(bytes), { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' });
    expect([gz.status, gz.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    const br = await store.post(brotliCompressSync(bytes), {
      'content-encoding': 'br',
      'accept-encoding': 'gzip, br',
    });
    expect([br.status, br.headers.get('content-encoding'), br.body]).toEqual([200, 'br', gz.body]);
    const plain = await store.tree({ 'accept-encoding': 'gzip;q=0, br;q=0' });
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary'), plain.body]).toEqual([
      null,
      'Accept-Encoding',
      gz.body,
    ]);
  });
});

describe('a menu that is too large to be kept in memory as a whole', () => {
  it.each(['identity', 'gzip', 'br'])('is sent in chunks, the same bytes (%s)', async (coding) => {
    const small = await service.replica({ menuCacheBytes: 4_000 });
    const storeId = await createStore(service, tenant.merchantId);
    const [kept, chunked] = [service, small].map((one) => menuClient(one, { storeId, key: tenant.key }));
    const headers = { 'accept-encoding': coding };
    const answered = [await chunked?.post(numberedMenu(1, 300), headers)];
    for (const client of [kept, chunked]) answered.push(await client?.tree(headers));
    const [posted, whole, inChunks] = answered;
    expect(JSON.stringify(whole?.body).length).toBeGreaterThan(4_000);
    expect([posted?.body, inChunks?.body]).toEqual([whole?.body, whole?.body]);
    expect(inChunks?.headers.get('etag')).toBe(whole?.headers.get('etag'));
    expect((await chunked?.flat(headers))?.body).toEqual((await kept?.flat(headers))?.body);
    const available = (client = kept) => client?.manage('available?at=2026-01-01', { headers });
    expect((await available(chunked))?.body).toEqual((await available(kept))?.body);
    await small.stop();
  });
});

describe('ids', () => {
  it('stay with store, kind and external_id, also through an absence, and are unique', async () => {
    const [one, other] = [await newStore(), await newStore()];
    const same = { items: [item('x')], categories: [{ external_id: 'x', name: text('x') }] };
    await one.post(same);
    await other.post(same);
    const idsOf = async (store: typeof one) =>
      Object.values((await store.flat()).body).flatMap((list) => list.map(({ id }) => id));
    const [ones, others] = [await idsOf(one), await idsOf(other)];
    expect(new Set([...ones, ...others]).size).toBe(4);
    await one.post({ items: [item('y')] });
    await one.post({ ...same, items: [item('y'), item('x', { price: 7 })] });
    expect((await idsOf(one)).filter((id) => ones.includes(id))).toEqual(ones);
  });
});

describe('entity tags', () => {
  it('answer 304 while nothing changes, each for its own form and coding', async () => {
    const store = await newStore();
    const posted = await store.post(chain(), { 'accept-encoding': 'br' });
    const tag = posted.headers.get('etag') ?? '';
    const identity = await store.tree({ 'accept-encoding': 'identity' });
    const own = identity.headers.get('etag') ?? '';
    const codings = { 'accept-encoding': 'identity' };
    expect((await store.tree({ ...codings, 'if-none-match': own })).status).toBe(304);
    expect((await store.tree({ ...codings, 'if-none-match': `"a", W/${own}` })).status).toBe(304);
    expect((await store.tree({ ...codings, 'if-none-match': '*' })).status).toBe(304);
    expect((await store.flat({ ...codings, 'if-none-match': own })).status).toBe(200);
    expect((await store.tree({ 'accept-encoding': 'br', 'if-none-match': own })).status).toBe(200);
    expect(tag).toMatch(/^"1\.\d+\.tree\.br\./);
    await store.post(chain({ price: 5 }));
    expect((await store.tree({ ...codings, 'if-none-match': own })).status).toBe(200);
  });

  it('stay the same when what is current is posted again', async () => {
    const store = await newStore();
    const first = await store.post(chain({ name: { translations: { en: 'a', es: 'b' } } }));
    const again = await store.post({
      ...chain({ name: { translations: { es: 'b', en: 'a' } }, in_stock: null }),
      more: 1,
    });
    expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')]);
    expect((await store.manage<{ versions: unknown[] }>('versions')).body.versions).toHaveLength(1);
  });

  it('guard a publication from that of others, not from the same sent again', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const store = menuClient(service, { storeId, key: tenant.key });
    const before = { 'if-match': (await store.tree()).headers.get('etag') ?? '' };
    const first = await store.post(chain(), before);
    const again = await store.post(chain(), before);
    expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')]);
    const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['menu:write'] });
    const other = menuClient(service, { storeId, key });
    expect((await other.post(chain(), before)).status).toBe(412);
  });

  it('guard a publication by the version alone', async () => {
    const store = await newStore();
    const before = (await store.tree()).headers.get('etag') ?? '';
    expect((await store.post(chain(), { 'if-match': before })).status).toBe(200);
    const refused = await store.post(chain({ price: 2 }), { 'if-match': before });
    expect([refused.status, refused.body]).toEqual([
      412,
      { detail: 'Someone else has published this menu since you read it. Read it again before publishing.' },
    ]);
    const flat = (await store.flat({ 'accept-encoding': 'gzip' })).headers.get('etag') ?? '';
    await store.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    expect((await store.post(chain({ price: 3 }), { 'if-match': `W/${flat}` })).status).toBe(412);
    expect((await store.post(chain({ price: 3 }), { 'if-match': `"other", ${flat}` })).status).toBe(200);
    expect((await store.post(chain({ price: 4 }), { 'if-match': '*' })).status).toBe(200);
    const elsewhere = await newStore();
    const foreign = (await elsewhere.tree()).headers.get('etag') ?? '';
    const fresh = await newStore();
    expect((await fresh.post(chain(), { 'if-match': foreign })).status).toBe(412);
  });
});

describe('refusals', () => {
  it('store nothing', async () => {
    const store = await newStore();
    await store.post(chain());
    const before = await store.tree();
    const body = {
      ...chain({ price: 9 }),
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: ['i', 'j'] }],
    };
    const refused = await store.post(body);
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'categories', 0, 'item_external_ids', 1],
            msg: "No item has the external_id 'j'",
            type: 'unresolved_reference',
            input: 'j',
            ctx: { external_id: 'c' },
          },
        ],
      },
    ]);
    const after = await store.tree();
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
  });

  it.each<[string, string, unknown]>([
    ['no JSON', '{"items":[', { detail: [{ loc: ['body', 10], type: 'json_invalid' }] }],
    [
      'nesting past the limit',
      `${'['.repeat(33)}${']'.repeat(33)}`,
      { detail: [{ loc: ['body', 32], type: 'json_invalid' }] },
    ],
    ['null', 'null', { detail: [{ loc: ['body'] }] }],
    ['no items', '{}', { detail: [{ loc: ['body', 'items'], type: 'missing' }] }],
  ])('are 422 for %s', async (_, body, expected) => {
    const store = await newStore();
    const answer = await store.post(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject(expected as object);
  });

  it.each([null, ''])('name a body that is %j as missing', async (nothing) => {
    const store = await newStore();
    const missing = { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing', input: null }] };
    const body = nothing === null ? 'null' : gzipSync('');
    const headers: Record<string, string> = nothing === null ? {} : { 'content-encoding': 'gzip' };
    expect(await store.post(body, headers)).toMatchObject({ status: 422, body: missing });
  });

  it('refuse a small body that would expand to billions without building it', async () => {
    const store = await newStore();
    await store.post({ items: [] });
    const many = (id: string) => Array.from({ length: 3000 }, () => id);
    const answer = await store.post({
      items: [item('i', { modifier_external_ids: many('g') })],
      menus: [{ external_id: 'm', availability: [], category_external_ids: many('c') }],
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: many('i') }],
      modifier_groups: [modifierGroup('g', { modifier_item_external_ids: many('o') })],
      modifier_items: [modifierItem('o')],
    });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body'], type: 'tree_too_large' }] },
    ]);
  });

  it('refuse a tree by the most it could take, in a check, a publication and a mark alike', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const { body } = await menuClient(service, { storeId, key: tenant.key }).post(numberedMenu(1, 200));
    const size = JSON.stringify(body).length;
    const attempt = async (treeBytes: number, number: number) => {
      const limited = await service.replica({ treeBytes });
      const store = menuClient(limited, { storeId, key: tenant.key });
      const menu = numberedMenu(number, 200);
      const checked = await store.manage('check', { method: 'POST', body: menu });
      const posted = await store.post(menu);
      const marked = await store.manage('items/i0', { method: 'PATCH', body: { prep_type: 'grill' } });
      await limited.stop();
      return { checked, posted, marked };
    };
    const tooLarge = (loc: string[], bytes: number, limit: number) => ({
      status: 422,
      body: {
        detail: [
          {
            loc,
            msg: `The tree could take ${bytes} bytes; the limit is ${limit}`,
            type: 'tree_too_large',
            ctx: { limit },
          },
        ],
      },
    });
    const refused = await attempt(size, 2);
    const [, most = 0] =
      /could take (\d+) bytes/.exec(JSON.stringify(refused.posted.body))?.map(Number) ?? [];
    // 202 entities, each with an id of up to 16 digits.
    expect([most > size, most <= size + 202 * 16]).toEqual([true, true]);
    for (const answer of [refused.checked, refused.posted])
      expect(answer).toMatchObject(tooLarge(['body'], most, size));
    const taken = await attempt(most, 3);
    expect([taken.checked.status, taken.posted.status]).toEqual([200, 200]);
    const withPrepType = most + 202 * ',"prep_type":"grill"'.length;
    expect(taken.marked).toMatchObject(tooLarge(['body', 'prep_type'], withPrepType, most));
    expect((await attempt(withPrepType, 4)).marked.status).toBe(200);
    const after = await attempt(withPrepType - 1, 5);
    for (const answer of [after.checked, after.posted])
      expect(answer).toMatchObject(tooLarge(['body'], withPrepType, withPrepType - 1));
  });
});

describe('the rate of publications', () => {
  it('is limited per store', async () => {
    const limited = await service.replica({ menuPostsPerMinute: 2 });
    const [one, other] = await Promise.all([
      createStore(service, tenant.merchantId),
      createStore(service, tenant.merchantId),
    ]);
    const post = (storeId: string) => menuClient(limited, { storeId, key: tenant.key }).post({ items: [] });
    expect([(await post(one)).status, (await post(one)).status]).toEqual([200, 200]);
    const refused = await post(one);
    expect([refused.status, refused.body]).toEqual([429, { detail: 'Too Many Requests' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(other)).status).toBe(200);
    await limited.stop();
  });

  it('is held against a request before its body is read, and after its permission', async () => {
    const limited = await service.replica({ menuPostsPerMinute: 1 });
    const storeId = await createStore(service, tenant.merchantId);
    const publish = (key: string) => menuClient(limited, { storeId, key }).post({ items: [] });
    expect((await publish(tenant.key)).status).toBe(200);
    const socket = connect(Number(new URL(limited.url).port), '127.0.0.1');
    socket.write(
      `POST /v1/stores/${storeId}/menu_configuration/ HTTP/1.1\r\nhost: a\r\nx-api-key: ${tenant.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 1000\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 429 /);
    socket.destroy();
    const reader = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    expect((await publish(reader.key)).status).toBe(403);
    await limited.stop();
  });
});

describe('a database that has lost its last publication', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is believed, and what is published next has other tags than what was lost', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const store = menuClient(service, { storeId, key: tenant.key });
    const prices = async () => {
      const flat = await store.flat<{ items: { price: number }[] }>();
      return [...itemsOf(await store.tree()), ...flat.body.items].map(({ price }) => price);
    };
    await store.post(numberedMenu(1, 1));
    const readState = {
      name: 'state',
      text: 'SELECT m.* FROM menu_states m JOIN stores s USING (store_key) WHERE s.id = $1',
      values: [storeId],
    };
    const [first] = await service.db.query<Record<string, unknown>>(readState);
    await store.post(numberedMenu(2, 1));
    const lost = (await store.tree()).headers.get('etag') ?? '';
    expect(await prices()).toEqual([2, 2]);

    await service.db.query({
      name: 'lose-version',
      text: 'DELETE FROM menu_versions WHERE store_key = $1 AND version = 2',
      values: [first?.['store_key']],
    });
    await service.db.query({
      name: 'lose-state',
      text: 'UPDATE menu_states SET menu_version = $2, stock_revision = $3 WHERE store_key = $1',
      values: [first?.['store_key'], first?.['menu_version'], first?.['stock_revision']],
    });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    expect(await prices()).toEqual([1, 1]);

    await store.post(numberedMenu(3, 1));
    expect(await prices()).toEqual([3, 3]);
    expect((await store.tree({ 'if-none-match': lost })).status).toBe(200);
  });
});

describe('large publications', () => {
  const BODY_BYTES = 10_000;
  const CODINGS = { identity: (body: Buffer) => body, gzip: gzipSync, br: brotliCompressSync };

  /** A body that has been announced, but not sent to its end. */
  async function openUpload(url: string, storeId: string, coding: keyof typeof CODINGS = 'identity') {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const menu = JSON.stringify({ items: [], padding: 'x'.repeat(BODY_BYTES - 100) });
    const body = CODINGS[coding](Buffer.from(menu));
    socket.write(
      [
        `POST /v1/stores/${storeId}/menu_configuration/ HTTP/1.1`,
        'Host: a',
        `X-API-Key: ${tenant.key}`,
        'Content-Type: application/json',
        `Content-Encoding: ${coding}`,
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
    // A body counts as large from half of the limit on.
    const begun = coding === 'identity' ? BODY_BYTES / 2 + 500 : 10;
    socket.write(body.subarray(0, begun));
    const answer = readAll(socket);
    answer.catch(() => undefined);
    await delay(300);
    return {
      giveUp: () => socket.destroy(),
      finish: async () => {
        socket.write(body.subarray(begun));
        return (await answer).slice(0, 12);
      },
    };
  }

  it('of one merchant wait for each other, and nobody else for them', async () => {
    const small = await service.replica({ menuBytes: BODY_BYTES });
    const other = await createTenant(service);
    const storeIds = await Promise.all(
      Array.from({ length: 5 }, () => createStore(service, tenant.merchantId)),
    );
    const uploads = [];
    for (const storeId of storeIds.slice(0, 4)) uploads.push(await openUpload(small.url, storeId));
    const waiting = await openUpload(small.url, storeIds[4] ?? '');
    expect((await menuClient(small, other).post(chain())).status).toBe(200);
    // The first falls behind while it waits, and loses its room to it.
    expect(await waiting.finish()).toBe('HTTP/1.1 200');
    expect(await uploads[0]?.finish()).toBe('HTTP/1.1 408');
    await small.stop();
  });

  it('are late by their own time alone, not by that of those before them', async () => {
    const hasty = await service.replica({ menuBytes: BODY_BYTES, requestSeconds: 1 });
    const storeId = await createStore(service, tenant.merchantId);
    const begun = performance.now();
    // Two at a time, each a second too short of its end: the last has waited longer than a body may take.
    const late = [];
    for (let i = 0; i < 4; i += 1) late.push(openUpload(hasty.url, storeId));
    await Promise.all(late);
    const last = await openUpload(hasty.url, storeId);
    expect(await last.finish()).toBe('HTTP/1.1 200');
    expect(performance.now() - begun).toBeGreaterThan(1_000);
    await hasty.stop();
  });

  it.each(['identity', 'gzip', 'br'] as const)('that are given up make room again: %s', async (coding) => {
    const small = await service.replica({ menuBytes: BODY_BYTES });
    const storeId = await createStore(service, tenant.merchantId);
    const open = () => openUpload(small.url, storeId, coding);
    const [one, other] = [await open(), await open()];
    const waiting = [await open(), await open(), await open()];
    for (const { giveUp } of [...waiting, one, other]) giveUp();
    const last = await open();
    expect(await last.finish()).toBe('HTTP/1.1 200');
    await small.stop();
  });
});

describe('permissions', () => {
  it('are menu:write to publish and read to read', async () => {
    const reader = await createTenant(service, ['read']);
    const writer = await createTenant(service, ['menu:write']);
    expect((await menuClient(service, reader).post(chain())).status).toBe(403);
    expect((await menuClient(service, reader).tree()).status).toBe(200);
    expect((await menuClient(service, writer).post(chain())).status).toBe(200);
    expect((await menuClient(service, writer).flat()).status).toBe(403);
    expect((await menuClient(service, { ...writer, key: reader.key }).tree()).status).toBe(404);
  });
});

describe('at the same time', () => {
  it(
    'publications of one store leave one of them, whole, and readers never see a mix',
    { timeout: 60_000 },
    async () => {
      const store = await newStore();
      await store.post(numberedMenu(0, 300));
      const progress = { isOver: false };
      const reading = (async () => {
        while (!progress.isOver)
          expect(new Set(itemsOf(await store.tree()).map(({ price }) => price)).size).toBe(1);
      })();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, number) => store.post(numberedMenu(number + 1, 300))),
      );
      progress.isOver = true;
      await reading;
      answers.forEach((answer, i) => {
        const prices = itemsOf(answer).map(({ price }) => price);
        expect([answer.status, prices.length, new Set(prices)]).toEqual([200, 300, new Set([i + 1])]);
      });
      const left = new Set(itemsOf(await store.tree()).map(({ price }) => price));
      expect(left.size).toBe(1);
      const { versions } = (await store.manage<{ versions: { version: number }[] }>('versions')).body;
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, i) => 21 - i));
    },
  );

  it('a read that starts after a publication sees it on another replica', async () => {
    const replica = await service.replica();
    const storeId = await createStore(service, tenant.merchantId);
    const [here, there] = [
      menuClient(service, { storeId, key: tenant.key }),
      menuClient(replica, { storeId, key: tenant.key }),
    ];
    for (let price = 1; price <= 10; price += 1) {
      await here.post(chain({ price }));
      expect(itemsOf(await there.tree()).map((one) => one.price)).toEqual([price]);
    }
    await replica.stop();
  });
});
