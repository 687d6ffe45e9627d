import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPhotoMatch } from '../../src/menu-files/match-photos.js';
import { jpeg, png, webp } from '../harness/images.js';
import { item, menuClient, text } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { HUBRISE, SQUARE, UBER } from '../menu-files/convert/foreign-menus.js';
import { comanda } from './command-line.js';

const service = await useService();
const folder = makeTestFolder();

async function newStore() {
  const tenant = await createTenant(service);
  await menuClient(service, tenant).post({
    items: [item('burger'), item('a/b', { name: text('Crème brûlée') }), item('plain')],
  });
  const run = (...args: string[]) =>
    comanda(['--url', service.url, '--key', tenant.key, 'menu', 'photos', ...args]);
  return { ...tenant, run };
}

async function newFolder(
  name: string,
  files: Readonly<Record<string, Uint8Array | string>>,
): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(path, file), bytes);
  return path;
}

describe('menu photos', () => {
  it('pushes a folder by external_id or name, lists it, and pulls the same files', async () => {
    const { storeId, run } = await newStore();
    const large = webp(1200, 900);
    const files = {
      'burger.webp': large,
      'burger.small.webp': webp(400, 300, 1),
      'Creme brulee.PNG': png(40, 30),
    };
    const source = await newFolder('push', files);
    const pushed = await run('push', storeId, source);
    expect([pushed.code, pushed.err]).toEqual([0, 'Set 3 photos.\n']);
    const { out } = await run('list', storeId, '--json');
    expect(JSON.parse(out)).toMatchObject([
      { external_id: 'a/b', width: 40, height: 30 },
      { external_id: 'burger', width: 1200, height: 900, bytes: large.length, small: { width: 400 } },
    ]);
    const target = join(folder, 'pulled');
    expect((await run('pull', storeId, target)).code).toBe(0);
    expect((await readdir(target)).sort()).toEqual(['a%2Fb.png', 'burger.small.webp', 'burger.webp']);
    expect(await readFile(join(target, 'burger.webp'))).toEqual(large);
    expect((await run('push', storeId, target)).code).toBe(0);
    expect((await run('list', storeId, '--json')).out).toBe(out);
  });

  it('says of each file why it is left out, sets the others, and follows no link out of the folder', async () => {
    const { storeId, run } = await newStore();
    const source = await newFolder('invalid', {
      'burger.jpg': png(4, 3),
      'nobody.png': png(4, 3),
      'notes.txt': 'x',
      'plain.png': png(4, 3),
    });
    await symlink('/etc/passwd', join(source, 'a%2Fb.png'));
    const { code, err } = await run('push', storeId, source);
    expect([code, err.split('\n').sort()]).toEqual([
      1,
      [
        '',
        'Error: 4 files left out.',
        'Set 1 photo.',
        'a%2Fb.png: not a JPEG, PNG or WebP file',
        expect.stringMatching(/^burger\.jpg: .*the body is not image\/jpeg, but image\/png/) as string,
        'nobody.png: no item has this external_id or name',
        'notes.txt: not a JPEG, PNG or WebP file',
      ],
    ]);
  });

  it('pulls the others where an item has a name that leads out of the folder', async () => {
    const tenant = await createTenant(service);
    const ids = ['../up', 'burger'];
    await menuClient(service, tenant).post({ items: ids.map((id) => item(id)) });
    const run = (...args: string[]) =>
      comanda(['--url', service.url, '--key', tenant.key, 'menu', 'photos', ...args]);
    const source = await newFolder('names', { '..%2Fup.png': png(4, 3), 'burger.png': png(4, 3) });
    expect((await run('push', tenant.storeId, source)).err).toBe('Set 2 photos.\n');
    const target = join(folder, 'named');
    const { code, err } = await run('pull', tenant.storeId, target);
    expect([code, err.trim().split('\n')]).toEqual([
      1,
      [
        '../up: this external_id cannot be the name of a file',
        `Wrote 1 photo to ${target}.`,
        'Error: 1 photo left out.',
      ],
    ]);
    expect(await readdir(target)).toEqual(['burger.png']);
  });

  it('fetches what a converted menu names, and refuses names that lead out of the folder', async () => {
    const picture = jpeg(40, 30);
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers['x-access-token'] as string | undefined);
      if (request.url === '/page') response.setHeader('content-type', 'text/html').end('<html>');
      else if (request.url === '/gone') response.writeHead(404).end();
      else response.setHeader('content-type', 'image/jpeg').end(picture);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const list = async (name: string, value: object) => {
      await writeFile(join(folder, name), JSON.stringify(value));
      return join(folder, name);
    };
    const target = join(folder, 'fetched');
    const good = await list('good.json', {
      burger: at('/a'),
      'a/b': at('/page'),
      c: at('/gone'),
      d: 'file:///etc/passwd',
    });
    const { code, err } = await comanda([
      'menu',
      'photos',
      'fetch',
      good,
      target,
      '--header',
      'X-Access-Token: t',
    ]);
    expect([code, err.trim().split('\n')]).toEqual([
      1,
      [
        `a/b: ${at('/page')} has the type text/html`,
        `c: ${at('/gone')} answers 404`,
        'd: file:///etc/passwd is not an address that can be loaded',
        `Wrote 1 picture to ${target}.`,
        'Error: 3 pictures could not be loaded.',
      ],
    ]);
    expect(await readFile(join(target, 'burger.jpg'))).toEqual(picture);
    expect(new Set(seen)).toEqual(new Set(['t']));
    const asked = seen.length;
    for (const id of ['../../out', '..', '.hidden', '', 'x'.repeat(201)]) {
      const bad = await list('bad.json', { [id]: at('/a'), fine: at('/a') });
      const elsewhere = join(folder, 'outer', 'inner', 'elsewhere');
      const answer = await comanda(['menu', 'photos', 'fetch', bad, elsewhere]);
      expect([answer.code, answer.err.split('\n')[0]]).toEqual([
        1,
        `${id}: this external_id cannot be the name of a file`,
      ]);
      expect(await readdir(join(folder, 'outer'), { recursive: true })).toEqual([
        'inner',
        'inner/elsewhere',
        'inner/elsewhere/fine.jpg',
      ]);
    }
    expect(seen).toHaveLength(asked + 5);
  });

  it.each(['null', '[]', '["https://images.example/a.jpg"]', '"x"', '7'])(
    'refuses a file that holds %s instead of addresses, and makes no folder',
    async (json) => {
      const path = join(folder, 'no-list.json');
      await writeFile(path, json);
      const target = join(folder, 'nowhere');
      expect(await comanda(['menu', 'photos', 'fetch', path, target])).toMatchObject({
        code: 6,
        err: `Error: ${path} must hold an object of external ids and addresses, such as {"burger": "https://…"}.\n`,
      });
      expect(existsSync(target)).toBe(false);
    },
  );

  it.each([
    ['uber', UBER, { burger: 'https://images.example/burger.jpg' }],
    [
      'square',
      [...SQUARE, { type: 'IMAGE', id: 'P1', image_data: { url: 'https://images.example/p1.jpg' } }],
      { I1: 'https://images.example/p1.jpg' },
    ],
  ])('keeps where the photos of a menu of %s are', async (source, menu, photos) => {
    const path = join(folder, `${source}.json`);
    await writeFile(path, JSON.stringify(menu));
    const output = join(folder, `${source}-menu.yaml`);
    const { code, err } = await comanda(['menu', 'convert', path, '-o', output]);
    expect(code).toBe(0);
    const sideFile = join(folder, `${source}-menu.photos.json`);
    expect(err).toContain(
      `Wrote where the photos are to ${sideFile}: load them with comanda menu photos fetch.`,
    );
    expect(JSON.parse(await readFile(sideFile, 'utf8'))).toEqual(photos);
  });

  it('keeps where the photos of a catalogue of HubRise are, and writes no list where there are none', async () => {
    const { data } = structuredClone(HUBRISE) as unknown as { data: { products: Record<string, unknown>[] } };
    for (const product of data.products) product['image_ids'] = ['img1', 'img2'];
    for (const [name, value] of [
      ['hubrise', { id: 'cat1', data }],
      ['bare', HUBRISE],
    ] as const) {
      const path = join(folder, `${name}.json`);
      await writeFile(path, JSON.stringify(value));
      await comanda(['menu', 'convert', path, '-o', join(folder, `${name}-menu.yaml`)]);
    }
    const kept = JSON.parse(await readFile(join(folder, 'hubrise-menu.photos.json'), 'utf8')) as object;
    expect(new Set(Object.values(kept))).toEqual(
      new Set(['https://api.hubrise.com/v1/catalogs/cat1/images/img1/data']),
    );
    expect(existsSync(join(folder, 'bare-menu.photos.json'))).toBe(false);
  });
});

it('matches files to items by id first, and not by a name that two items have', () => {
  const named = (external_id: string, en: string) => ({ external_id, name: text(en) });
  const find = createPhotoMatch([
    named('soup', 'Stew'),
    named('stew', 'Soup'),
    named('a', 'Tea'),
    named('b', 'Tea'),
  ]);
  expect(['soup.jpg', 'x/y\\STEW.JPEG', 'Tea.png', 'a.webp', '100%.png', 'none.png'].map(find)).toEqual([
    'soup',
    undefined,
    undefined,
    'a',
    undefined,
    undefined,
  ]);
});
