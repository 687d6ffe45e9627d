import { describe, expect, it } from 'vitest';
import { readAudit } from '../../harness/audit.js';
import { cleanUp } from '../../../src/upkeep/cleanup.js';
import { backup, restore } from '../../harness/backup.js';
import { ask, type Answer } from '../../harness/client.js';
import { guestClient, openForGuests } from '../../harness/guest.js';
import { jpeg, png, webp } from '../../harness/images.js';
import { chain, item, itemsOf, menuClient, type Tree } from '../../harness/menu.js';
import { startService, useService } from '../../harness/service.js';
import { createKey, createStore, createTenant, storeKeyOf, type Tenant } from '../../harness/tenant.js';

const service = await useService();
const guest = guestClient(service);
const run = (text: string) => service.db.withClient((client) => client.query(text));

interface Shown {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly detail?: unknown;
}
type Owner = Pick<Tenant, 'storeId' | 'key'>;

const put = (
  { storeId, key }: Owner,
  externalId: string,
  body: Uint8Array | undefined,
  { type = 'image/png', search = '', at = service.url } = {},
) =>
  ask<Shown>(
    `${at}/manage/v1/stores/${storeId}/menu/items/${encodeURIComponent(externalId)}/photo${search}`,
    {
      method: 'PUT',
      key,
      body,
      headers: { 'content-type': type },
    },
  );
const remove = ({ storeId, key }: Owner, externalId: string) =>
  ask(`${service.url}/manage/v1/stores/${storeId}/menu/items/${externalId}/photo`, { method: 'DELETE', key });
const listOf = async ({ storeId, key }: Owner) =>
  (await ask<{ photos: unknown[] }>(`${service.url}/manage/v1/stores/${storeId}/menu/photos`, { key })).body
    .photos;
const photosIn = (menu: Answer<Tree>) =>
  itemsOf(menu).map((one) => (one as unknown as { photo?: unknown }).photo);

async function newTenant(menu: object = chain()): Promise<Tenant> {
  const tenant = await createTenant(service);
  expect((await menuClient(service, tenant).post(menu)).status).toBe(200);
  return tenant;
}

describe('a photo', () => {
  it('is shown in the menu to order from, the quote and the menu of guests, and not in /v1', async () => {
    const store = await openForGuests(service);
    const code = store.place.code;
    const before = await guest.get<Tree>(`/places/${code}/menu`);
    const large = jpeg(1200, 900);
    const { status, body } = await put(store, 'coffee', large, { type: 'image/jpeg' });
    expect([status, body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^\/photos\/[\da-f]{32}$/) as string,
        width: 1200,
        height: 900,
        bytes: large.length,
      },
    ]);
    const { url } = body;
    const smallFile = webp(400, 300);
    const small = (await put(store, 'coffee', smallFile, { type: 'image/webp', search: '?size=small' })).body;
    expect(small).toEqual({ url: small.url, width: 400, height: 300, bytes: smallFile.length });
    const shown = { url, width: 1200, height: 900, small: { url: small.url, width: 400, height: 300 } };

    expect(photosIn(await store.menu.manage('available'))).toEqual([shown, undefined]);
    const now = await guest.get<Tree>(`/places/${code}/menu`);
    expect(photosIn(now)).toEqual([shown, undefined]);
    expect(now.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const lines = {
      items: [
        { external_id: 'coffee', quantity: 1 },
        { external_id: 'cake', quantity: 1 },
      ],
    };
    for (const quote of [
      await store.manage<{ items: { photo?: unknown }[] }>('POST', '/quote', lines),
      await guest.post<{ items: { photo?: unknown }[] }>(`/places/${code}/quote`, lines),
    ])
      expect(quote.body.items.map(({ photo }) => photo)).toEqual([shown, undefined]);
    expect(JSON.stringify((await store.menu.tree()).body)).not.toContain('photo');
    expect(JSON.stringify((await store.menu.flat()).body)).not.toContain('photo');
    expect(await listOf(store)).toEqual([{ external_id: 'coffee', ...shown, bytes: large.length }]);

    // Another one has no small size yet; without one the menu is as it was.
    const other = (await put(store, 'coffee', png(800, 600))).body;
    expect(photosIn(await guest.get(`/places/${code}/menu`))).toEqual([
      { url: other.url, width: 800, height: 600 },
      undefined,
    ]);
    expect((await remove(store, 'coffee')).status).toBe(204);
    expect((await remove(store, 'coffee')).status).toBe(204);
    expect((await guest.get(`/places/${code}/menu`)).body).toEqual(before.body);
    expect(await listOf(store)).toEqual([]);
  });

  it('stays with its external_id through publications, also through one that lacks the item', async () => {
    const tenant = await newTenant({ items: [item('a/b %', { price: 1 }), item('other')] });
    const client = menuClient(service, tenant);
    const { url } = (await put(tenant, 'a/b %', png(8, 6))).body;
    await client.post({ items: [item('other')] });
    expect(await listOf(tenant)).toMatchObject([{ external_id: 'a/b %', url }]);
    expect((await put(tenant, 'a/b %', png(8, 6))).body).toEqual({ detail: 'Item not found' });
    await client.post(chain({ external_id: 'a/b %' }));
    expect(await listOf(tenant)).toMatchObject([{ external_id: 'a/b %', url }]);
  });

  it('that is set again is no change: its small size and every menu stay, and the log says nothing', async () => {
    const tenant = await newTenant();
    const { storeId: store_id } = tenant;
    const setBoth = async (size: number) => {
      const large = await put(tenant, 'i', png(size, 3));
      const small = await put(tenant, 'i', png(size, 1), { search: '?size=small' });
      expect([large.status, small.status]).toEqual([200, 200]);
    };
    await setBoth(4);
    const before = await listOf(tenant);
    const menu = await menuClient(service, tenant).tree();
    expect((await put(tenant, 'i', png(4, 3))).status).toBe(200);
    expect(await listOf(tenant)).toEqual(before);
    await setBoth(4);
    expect((await menuClient(service, tenant).tree()).headers.get('etag')).toBe(menu.headers.get('etag'));
    const entries = () => readAudit(service, { store_id, type: 'photo.set' });
    expect(await entries()).toHaveLength(2);
    await put(tenant, 'i', png(5, 3));
    const ids = (photos: unknown[]) => (photos as Shown[]).map(({ url }) => url.replace('/photos/', ''));
    expect((await entries())[0]).toMatchObject({
      before: { photo: { id: ids(before)[0] } },
      after: { photo: { id: ids(await listOf(tenant))[0] } },
    });
  });

  it('is served to anyone, for ever, as the image that it is and nothing else', async () => {
    const tenant = await newTenant();
    const file = webp(40, 30);
    const { url } = (await put(tenant, 'i', file, { type: 'Image/WebP; q=1' })).body;
    const answer = await fetch(service.url + url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(file);
    expect(answer.status).toBe(200);
    const tag = `"${url.slice('/photos/'.length)}"`;
    const headers = {
      'content-type': 'image/webp',
      'content-length': String(file.length),
      'cache-control': 'public, max-age=31536000, immutable',
      etag: tag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    };
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    const head = await ask(service.url + url, { method: 'HEAD' });
    expect([head.status, head.body, Object.fromEntries(head.headers)]).toEqual([
      200,
      '',
      expect.objectContaining(headers),
    ]);
    for (const given of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const kept = await ask(service.url + url, { headers: { 'if-none-match': given } });
      expect([kept.status, kept.body, kept.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await ask(service.url + url, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    const unknown = `/photos/${'0'.repeat(32)}`;
    for (const path of [unknown, `${url}0`, url.toUpperCase().replace('PHOTOS', 'photos'), '/photos/%00']) {
      const { status, body } = await ask(service.url + path);
      expect([path, status, body]).toEqual([path, 404, { detail: 'Not Found' }]);
    }
    expect((await ask(service.url + url, { method: 'POST' })).status).toBe(405);
  });

  it('is served however many others are asked for at the same moment', async () => {
    const { merchantId } = await newTenant();
    const count = 36;
    await run(`INSERT INTO photos (id, merchant_id, type, bytes, content, put_at)
      SELECT md5(n::text), '${merchantId}', 'image/png', 1048576, decode(repeat('00', 1048576), 'hex'), now()
      FROM generate_series(1, ${count}) n`);
    const { rows } = await run(`SELECT id FROM photos WHERE merchant_id = '${merchantId}'`);
    // All of them are asked for before the first is read.
    const answers = await service.db.withClient(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE photos');
      const asked = rows.map(({ id }) => fetch(`${service.url}/photos/${String(id)}`));
      const waiting = "SELECT 1 FROM pg_locks l WHERE l.relation = 'photos'::regclass AND NOT l.granted";
      await expect.poll(async () => (await client.query(waiting)).rows.length).toBeGreaterThan(0);
      await client.query('COMMIT');
      return Promise.all(asked);
    });
    const sizes = await Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength));
    expect(sizes).toEqual(new Array<number>(count).fill(1_048_576));
  });

  it('is refused where the service cannot show it, and nothing is stored', async () => {
    const tenant = await newTenant();
    const rows = async () => (await run('SELECT count(*)::integer AS count FROM photos')).rows as unknown;
    const before = await rows();
    const tooLarge = Buffer.concat([png(8, 6), Buffer.alloc(1024 * 1024)]).subarray(0, 1024 * 1024 + 1);
    const refused = async (body: Uint8Array, type = 'image/png') => {
      const answer = await put(tenant, 'i', body, { type });
      return [answer.status, answer.body.detail];
    };
    const invalid = (reason: string) => [
      422,
      [{ loc: ['body'], msg: `Value error, ${reason}`, type: 'value_error', ctx: { error: reason } }],
    ];
    expect(await refused(png(8, 6), 'image/jpeg')).toEqual(
      invalid('the body is not image/jpeg, but image/png'),
    );
    expect(await refused(png(8, 6).subarray(0, -5))).toEqual(
      invalid('the image is damaged or cut off, or goes on after its end'),
    );
    expect(await refused(png(60_000, 60_000))).toEqual(
      invalid('the image has 60000 x 60000 pixels, but a side may have 1 to 2048'),
    );
    expect(await refused(Buffer.from('GIF89a/*<html><script>*/=1;'), 'image/webp')).toEqual(
      invalid('the body is not a JPEG, PNG or WebP image'),
    );
    expect(await refused(tooLarge)).toEqual([413, 'The body is larger than 1048576 bytes']);
    const sendOne = 'Unsupported Media Type: send image/jpeg, image/png, image/webp';
    for (const type of ['image/svg+xml', 'image/gif', 'text/html', 'application/json', ''])
      expect(await refused(png(8, 6), type)).toEqual([415, sendOne]);
    expect((await put(tenant, 'i', undefined)).body.detail).toEqual([
      { loc: ['body'], msg: 'Field required', type: 'missing', input: null },
    ]);
    const small = await put(tenant, 'i', png(8, 6), { search: '?size=small' });
    expect([small.status, small.body.detail]).toEqual([
      409,
      'The item has no photo. Send the large one first.',
    ]);
    expect((await put(tenant, 'i', png(8, 6), { search: '?size=huge' })).status).toBe(422);
    expect((await put(tenant, 'nothing', png(8, 6))).body).toEqual({ detail: 'Item not found' });
    expect((await put(tenant, 'o', png(8, 6))).body).toEqual({ detail: 'Item not found' });
    const reader = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['read', 'stock:write'],
    });
    expect((await put({ ...tenant, key: reader.key }, 'i', png(8, 6))).status).toBe(403);
    expect((await remove({ ...tenant, key: reader.key }, 'i')).status).toBe(403);
    expect(await rows()).toEqual(before);
    expect(await listOf(tenant)).toEqual([]);
  });

  it('is removed from an item that has left the menu too', async () => {
    const tenant = await newTenant();
    await put(tenant, 'i', png(8, 6));
    await menuClient(service, tenant).post({ items: [item('other')] });
    expect((await put(tenant, 'i', png(9, 6))).body).toEqual({ detail: 'Item not found' });
    expect(await listOf(tenant)).toHaveLength(1);
    expect((await remove(tenant, 'i')).status).toBe(204);
    expect(await listOf(tenant)).toEqual([]);
    for (const gone of ['i', 'nothing', '%00']) expect((await remove(tenant, gone)).status).toBe(404);
  });

  it('is refused beyond 2 GiB of a merchant, unless the merchant has it already', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const kept = png(8, 6, 1);
    expect((await put(tenant, 'i', kept)).status).toBe(200);
    await run(`INSERT INTO photos (id, merchant_id, type, bytes, content, put_at)
      VALUES ('large', '${tenant.merchantId}', 'image/png', ${2 ** 31 - 1 - kept.length}, '', now())`);
    const { status, body } = await put(tenant, 'i', png(8, 6, 2));
    expect([status, body]).toEqual([
      507,
      { detail: 'The photos of the merchant take 2 GiB. Remove some first.' },
    ]);
    expect((await put(tenant, 'i', kept)).status).toBe(200);
    expect((await put(other, 'i', png(8, 6, 2))).status).toBe(200);
    // Two stores at once share what is left.
    const second = { storeId: await createStore(service, tenant.merchantId), key: tenant.key };
    await menuClient(service, second).post(chain());
    const files = [png(8, 6, 3), png(8, 6, 4)];
    const room = Math.max(...files.map(({ length }) => length));
    await run(`UPDATE photos SET bytes = ${2 ** 31 - kept.length - room} WHERE id = 'large'`);
    const atOnce = await Promise.all(files.map((file, i) => put(i === 0 ? tenant : second, 'i', file)));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 507]);
    await run(`DELETE FROM photos WHERE id = 'large'`);
  });

  it('tells another merchant nothing, also if it is the same photo', async () => {
    const [mine, theirs] = [await newTenant(), await newTenant()];
    const file = png(80, 60, 77);
    const first = (await put(mine, 'i', file)).body;
    const theirKey = { storeId: mine.storeId, key: theirs.key };
    const notFound = { detail: 'Store not found' };
    expect((await put(theirKey, 'i', png(8, 6))).body).toEqual(notFound);
    expect((await remove(theirKey, 'i')).body).toEqual(notFound);
    expect(
      (await ask(`${service.url}/manage/v1/stores/${mine.storeId}/menu/photos`, { key: theirs.key })).body,
    ).toEqual(notFound);
    const second = (await put(theirs, 'i', file)).body;
    expect(second).toEqual({ ...first, url: second.url });
    expect(second.url).not.toBe(first.url);
    // Once for all stores of a merchant.
    const branch = { storeId: await createStore(service, mine.merchantId), key: mine.key };
    await menuClient(service, branch).post(chain());
    expect((await put(branch, 'i', file)).body).toEqual(first);
    const { rows } = await run(`SELECT id FROM photos WHERE merchant_id = '${mine.merchantId}'`);
    expect(rows).toHaveLength(1);
    await remove(mine, 'i');
    await run(`UPDATE photos SET put_at = now() - interval '2 hours'`);
    await cleanUp(service.db, 30);
    const replica = await service.replica();
    for (const { url } of [first, second]) expect((await ask(replica.url + url)).status).toBe(200);
    await replica.stop();
  });

  it('is one of many that are set at the same moment', async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `i${i}`);
    const tenant = await newTenant({ items: ids.map((id) => item(id)) });
    const answers = await Promise.all(ids.map((id, i) => put(tenant, id, png(8, 6, i % 5))));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(5);
    expect(await listOf(tenant)).toHaveLength(30);
  });
});

describe('a publication from another store', () => {
  const publish = (tenant: Tenant, body: object) =>
    ask<{ id: string; stores: { result: string }[] }>(`${service.url}/manage/v1/menu/publications`, {
      method: 'POST',
      key: tenant.key,
      body,
    });

  it('brings photos along where the store has none', async () => {
    const menu = { items: [item('has'), item('lacks'), item('plain')] };
    const source = await newTenant(menu);
    const target = { storeId: await createStore(service, source.merchantId), key: source.key };
    const empty = { storeId: await createStore(service, source.merchantId), key: source.key };
    await menuClient(service, target).post(menu);
    const brought = (await put(source, 'lacks', png(40, 30, 1))).body;
    const small = (await put(source, 'lacks', png(4, 3, 1), { search: '?size=small' })).body;
    await put(source, 'has', png(40, 30, 2));
    const own = (await put(target, 'has', png(40, 30, 3))).body;
    const from = { store_id: source.storeId };
    const answer = await publish(source, {
      from,
      store_ids: [target.storeId, empty.storeId, source.storeId],
    });
    expect(answer.body.stores.map(({ result }) => result)).toEqual(['unchanged', 'published', 'unchanged']);
    const lacking = {
      external_id: 'lacks',
      ...brought,
      small: { url: small.url, width: 4, height: 3 },
    };
    expect(await listOf(target)).toEqual([{ external_id: 'has', ...own }, lacking]);
    expect(await listOf(empty)).toMatchObject([{ external_id: 'has' }, lacking]);
    const setIn = ({ storeId: store_id }: { readonly storeId: string }) =>
      readAudit(service, { store_id, type: 'photo.set' });
    const entry = { key_id: source.keyId, via: 'api', subject: answer.body.id };
    expect(await setIn(empty)).toMatchObject([{ ...entry, after: { photos: 2 } }]);
    expect(await setIn(target)).toMatchObject([{ ...entry, after: { photos: 1 } }, { subject: 'has' }]);
    expect(await setIn(source)).toHaveLength(3);
    // A menu that came without a store has no photos to bring.
    await remove(target, 'lacks');
    await publish(source, { menu, store_ids: [target.storeId] });
    expect(await listOf(target)).toEqual([{ external_id: 'has', ...own }]);
  });

  it('brings none of another merchant', async () => {
    const [source, other] = [await newTenant(), await newTenant({ items: [item('x')] })];
    await put(source, 'i', png(8, 6, 9));
    const { body } = await publish(
      { ...other, key: service.operatorKey },
      {
        from: { store_id: source.storeId },
        store_ids: [other.storeId],
      },
    );
    expect(body.stores.map(({ result }) => result)).toEqual(['published']);
    expect(await listOf(other)).toEqual([]);
  });
});

describe('upkeep', () => {
  it('removes photos that no item has, an hour after the last had it', async () => {
    const tenant = await newTenant({ items: [item('i'), item('gone')] });
    const orphan = (await put(tenant, 'gone', png(8, 6, 21))).body;
    const kept = (await put(tenant, 'i', png(8, 6, 22))).body;
    const small = (await put(tenant, 'i', png(4, 3, 22), { search: '?size=small' })).body;
    await remove(tenant, 'gone');
    const idOf = ({ url }: Shown) => url.slice('/photos/'.length);
    const left = async () =>
      (await run(`SELECT id FROM photos WHERE merchant_id = '${tenant.merchantId}' ORDER BY id`)).rows.map(
        ({ id }: { id: string }) => id,
      );
    await cleanUp(service.db, 30);
    expect(await left()).toHaveLength(3);
    await run(`UPDATE photos SET put_at = now() - interval '61 minutes'`);
    await cleanUp(service.db, 30);
    expect(await left()).toEqual([idOf(kept), idOf(small)].sort());
    expect(await left()).not.toContain(idOf(orphan));
    // It can be set again at once.
    expect((await put(tenant, 'gone', png(8, 6, 21))).body).toEqual(orphan);
  });

  it('deletes the photos of a store and of a merchant with them', async () => {
    const tenant = await newTenant();
    await put(tenant, 'i', png(8, 6, 31));
    const storeKey = await storeKeyOf(service, tenant);
    await ask(`${service.url}/manage/v1/merchants/${tenant.merchantId}`, {
      method: 'DELETE',
      key: service.operatorKey,
    });
    await run(`UPDATE photos SET put_at = now() - interval '2 hours'`);
    // The deletion removes rows by itself, and only one process cleans up at a time.
    await expect
      .poll(async () => {
        await cleanUp(service.db, 30);
        const { rows } = await run(`SELECT 1 FROM menu_photos WHERE store_key = ${storeKey}
          UNION ALL SELECT 1 FROM photos WHERE merchant_id = '${tenant.merchantId}'`);
        return rows.length;
      })
      .toBe(0);
  });

  it('takes photos into a backup and out of it, byte for byte', async () => {
    const tenant = await newTenant();
    const file = png(80, 60, 41);
    const { url } = (await put(tenant, 'i', file)).body;
    const archive = await backup(service);
    const target = await startService();
    expect((await restore(target, archive)).status).toBe(200);
    const answer = await fetch(target.url + url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(file);
    const shown = await ask(`${target.url}/manage/v1/stores/${tenant.storeId}/menu/photos`, {
      key: tenant.key,
    });
    expect(shown.body).toEqual({ photos: await listOf(tenant) });
    expect(await backup(target)).toBe(archive);
    await target.stop();
  });
});
