import { link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modifierItem } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();

const MENU = `# Lunch
menus:
  - external_id: lunch
    availability: []
    category_external_ids: [mains]
categories:
  - external_id: mains
    name: {translations: {en: Mains}}
    item_external_ids: [soup, stew]
items:
  - &base
    external_id: soup
    name: {translations: {en: Soup}}
    price: 450
    tax: 45
    sell_separately: true
  - <<: *base
    external_id: stew
    name: {translations: {en: Stew}}
`;

async function open() {
  const { storeId, key } = await createTenant(service);
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
  return {
    storeId,
    menu: (command: string, ...words: string[]) =>
      comanda(['menu', command, storeId, ...words], { environment }),
  };
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('menu', () => {
  it('goes from file to service and back', async () => {
    const { menu } = await open();
    const path = await file('menu.yaml', MENU);
    expect(await menu('check', path)).toMatchObject({
      code: 0,
      out: `${path} can be published: 1 menus, 1 categories, 2 items, 0 modifier groups, 0 modifier items.\n`,
    });
    const asked = await menu('push', path);
    expect([asked.code, asked.err]).toEqual([
      2,
      'Error: Publish this? There is no terminal to ask in. Add --yes to proceed.\n',
    ]);
    expect((await menu('push', path, '--yes')).out).toBe(
      'menus\n  + lunch\ncategories\n  + mains\nitems\n  + soup\n  + stew\n4 added, 0 removed, 0 changed.\nPublished as version 1.\n',
    );
    expect((await menu('push', path)).out).toBe('No difference.\nNothing to change: version 1 is current.\n');

    const pulled = join(folder, 'pulled.yaml');
    expect((await menu('pull', '-o', pulled)).code).toBe(0);
    expect((await menu('diff', pulled, '--exit-code')).code).toBe(0);
    await writeFile(pulled, (await readFile(pulled, 'utf8')).replace('price: 450', 'price: 475'));
    const differs = await menu('diff', pulled, '--exit-code');
    expect([differs.code, differs.out]).toEqual([
      8,
      'items\n  ~ soup: price\n0 added, 0 removed, 1 changed.\n',
    ]);
  });

  it('is checked for what can be published and is probably not meant', async () => {
    const { menu } = await open();
    const path = await file(
      'odd.yaml',
      MENU.replace('[soup, stew]', '[soup]').replace('price: 450', 'price: 0'),
    );
    expect(await menu('check', path)).toMatchObject({
      code: 0,
      out: [
        `${path} can be published: 1 menus, 1 categories, 2 items, 0 modifier groups, 0 modifier items.`,
        '3 warnings:',
        `${path}:14:12: items[0].price: The item 'soup' costs nothing`,
        `${path}:17:5: items[1]: The item 'stew' is in no category`,
        `${path}:17:5: items[1].price: The item 'stew' costs nothing`,
        '',
      ].join('\n'),
    });
    const { out } = await menu('check', path, '--json');
    expect(JSON.parse(out)).toMatchObject({
      warning_count: 3,
      warnings: [{ type: 'item_in_no_category' }, {}, {}],
    });
  });

  it('lists versions and restores one', async () => {
    const { menu } = await open();
    await menu('push', await file('one.yaml', MENU), '--yes');
    await menu('push', await file('two.yaml', MENU.replace('price: 450', 'price: 500')), '--yes');
    const restored = await menu('restore', '1', '--yes');
    expect(restored.out).toContain('Published as version 3.');
    const versions = (await menu('versions')).out.trim().split('\n');
    expect(versions.map((line) => line.split('\t')[0])).toEqual(['3 *', '2', '1']);
    expect(versions[0]).toContain('version 1 again');
    const first = await menu('pull', '--at-version', '2');
    expect(JSON.parse(first.out)).toMatchObject({ items: [{ price: 500 }, { price: 500 }] });
  });

  it('marks what is sold out, and what is back', async () => {
    const { menu } = await open();
    await menu('push', await file('stock.yaml', MENU), '--yes');
    expect((await menu('sold-out')).err).toBe('Nothing is sold out.\n');
    expect((await menu('sold-out', 'soup', 'stew')).out).toBe('item\tsoup\tsold out\nitem\tstew\tsold out\n');
    await menu('sold-out', 'soup', '--back');
    expect((await menu('sold-out')).out).toBe('item\tstew\tsold out\n');
  });

  it('sets how items are stocked, all of them or none', async () => {
    const { menu } = await open();
    await menu('push', await file('stocked.yaml', MENU), '--yes');
    expect((await menu('stock', 'soup', 'stew', '--left', '12', '--prep-type', 'Pot')).out).toBe(
      'soup\tin stock\t12\t\tPot\nstew\tin stock\t12\t\tPot\n',
    );
    const { out } = await menu('stock', 'soup', '--out', '--until', 'end_of_day');
    expect(out).toMatch(/^soup\tsold out\t12\t\d{4}-\d\d-\d\d 06:00\tPot\n$/);
    expect((await menu('stock', 'soup', '--in', '--uncounted', '--prep-type', '')).out).toBe(
      'soup\tin stock\t\t\t\n',
    );
    expect(await menu('stock', 'soup', 'stw', '--out')).toMatchObject({
      code: 5,
      err: "Error: No item has the external_id 'stw'. Did you mean stew?\n",
    });
    expect((await menu('stock', 'soup')).out).toBe('soup\tin stock\t\t\t\n');
    for (const [words, sentence] of [
      [['--out', '--in'], '--out and --in exclude each other.'],
      [['--until', 'end_of_day'], '--until goes with --out.'],
      [['--left', '1', '--uncounted'], '--left and --uncounted exclude each other.'],
      [['--modifier', '--left', '1'], 'Modifier items only take --out, --until and --in.'],
    ] as const)
      expect(await menu('stock', 'soup', ...words)).toMatchObject({ code: 2, err: `Error: ${sentence}\n` });
  });

  it('sets how modifier items are stocked, all of them or none', async () => {
    const { menu } = await open();
    const choices = { items: [], modifier_items: [modifierItem('oat'), modifierItem('soy')] };
    await menu('push', await file('choices.json', JSON.stringify(choices)), '--yes');
    const mark = (...words: string[]) => menu('stock', '--modifier', ...words);
    expect(await mark('oat', 'rice', 'soy', 'nut', '--out')).toMatchObject({
      code: 5,
      err: "Error: No modifier item has the external_id 'rice'. No modifier item has the external_id 'nut'.\n",
    });
    expect((await mark('oat', 'soy')).out).toBe('oat\tin stock\t\t\t\nsoy\tin stock\t\t\t\n');
    expect((await mark('oat', 'soy', '--out')).out).toBe('oat\tsold out\t\t\t\nsoy\tsold out\t\t\t\n');
  });

  it('is not published from a file that is not in UTF-8', async () => {
    const { menu } = await open();
    for (const name of ['latin.yaml', 'latin.json']) {
      const path = join(folder, name);
      await writeFile(path, Buffer.from('{"items": [], "note": "Café"}', 'latin1'));
      expect(await menu('push', path, '--yes')).toMatchObject({
        code: 6,
        err: `Error: ${path} is not in UTF-8. Save it in UTF-8 and try again.\n`,
      });
    }
    const sound = await file('sound.yaml', MENU.replace('en: Stew', 'en: "St\uFFFDw"'));
    expect((await menu('check', sound)).code).toBe(0);
  });

  it('appears under the name of the file when it is complete', async () => {
    const { menu } = await open();
    await menu('push', await file('whole.yaml', MENU), '--yes');
    const path = await file('kept.yaml', 'the menu of last year');
    await link(path, join(folder, 'linked.yaml'));
    expect((await menu('pull', '-o', path)).code).toBe(0);
    expect((await menu('diff', path, '--exit-code')).code).toBe(0);
    expect(await readFile(join(folder, 'linked.yaml'), 'utf8')).toBe('the menu of last year');
  });

  it('says what may have been meant when the item that is sold out is unknown', async () => {
    const { menu } = await open();
    const withMilk = `${MENU}modifier_items:
  - {external_id: oat-milk, name: {translations: {en: Oat}}, price_change: 0, tax_change: 0, min_quantity: 0, max_quantity: 1, default_quantity: 0}
`;
    await menu('push', await file('milk.yaml', withMilk), '--yes');
    const soldOut = async (...words: string[]) => {
      const { code, err } = await menu('sold-out', ...words);
      return [code, err];
    };
    const unknown = 'Error: No item has the external_id';
    expect(await soldOut('stew', 'Suop')).toEqual([5, `${unknown} 'Suop'. Did you mean soup?\n`]);
    expect((await menu('sold-out')).err).toBe('Nothing is sold out.\n');
    expect(await soldOut('oat-milk')).toEqual([
      5,
      `${unknown} 'oat-milk'. It is a modifier item: add --modifier.\n`,
    ]);
    expect(await soldOut('soup', '--modifier')).toEqual([
      5,
      "Error: No modifier item has the external_id 'soup'. It is an item: leave out --modifier.\n",
    ]);
    expect(await soldOut('a completely different dish')).toEqual([
      5,
      `${unknown} 'a completely different dish'.\n`,
    ]);
  });

  it('lists what can be ordered, and why the rest cannot', async () => {
    const { storeId, menu } = await open();
    const lunch = MENU.replace(
      'availability: []',
      'availability: [{day_of_week: monday, time_periods: [{start_time: "12:00", end_time: "15:00"}]}]',
    );
    await menu('push', await file('hours.yaml', lunch), '--yes');
    await menu('sold-out', 'stew');
    const monday = ['--at', '2026-11-16T13:00:00Z'];
    expect(await menu('available', ...monday)).toEqual({
      code: 0,
      out: 'soup\tSoup\t495\tlunch\tMains\n',
      err: 'At 2026-11-16 13:00 store time. 1 left out; --left-out shows why.\n',
    });
    expect((await menu('available', ...monday, '--left-out')).out).toBe('item\tstew\tout of stock\n');
    const closed = await menu('available', '--at', '2026-11-15T13:00:00Z');
    expect([closed.code, closed.out, closed.err]).toEqual([
      0,
      '',
      expect.stringMatching(/^Nothing can be ordered at that time\.\n/),
    ]);
    const json = await menu('available', ...monday, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ at: '2026-11-16T13:00:00.000Z', timezone: 'UTC' });
    expect(storeId).not.toBe('');
  });
});

describe('a refused file', () => {
  it('is told by line and column, in YAML', async () => {
    const { menu } = await open();
    const path = await file(
      'bad.yaml',
      MENU.replace('[soup, stew]', '[soup, stw]').replace('price: 450', 'price: 4.5'),
    );
    const { code, err } = await menu('check', path);
    expect(code).toBe(6);
    expect(err).toContain(`${path}:9:31: categories[0].item_external_ids[1]: `);
    expect(err).toContain('did you mean');
    expect(err).toContain(`${path}:14:12: items[0].price: Input should be a valid integer`);
  });

  it('is told by line and column, in JSON', async () => {
    const { menu } = await open();
    const path = await file('bad.json', '{\n  "items": [\n    {"external_id": "é", "price": true}\n  ]\n}');
    const { err } = await menu('push', path, '--yes');
    expect(err).toContain(`${path}:3:35: items[0].price: Input should be a valid integer`);
    expect(err).toContain(`${path}:3:5: items[0].name: Field required`);
  });

  it('is told from its first line down', async () => {
    const { menu } = await open();
    const items = ['a', 'b', 'c'].map((id) => `{"external_id": "${id}",\n"price": true}`);
    const path = await file('many.json', `{"items": [\n${items.join(',\n')}]}`);
    const { err } = await menu('check', path);
    const lines = err.split('\n').flatMap((line) => /:(\d+):\d+: /.exec(line)?.[1] ?? []);
    expect([...new Set(lines)]).toEqual(['2', '3', '4', '5', '6', '7']);
  });

  it.each([
    ['empty.yaml', '\n', 'is empty.'],
    ['photo.json', '\u0089PNG\0\0', 'is neither JSON nor YAML, but binary.'],
  ])('is named for what it is: %s', async (name, text, reason) => {
    const { menu } = await open();
    const path = await file(name, text);
    expect(await menu('check', path)).toMatchObject({ code: 6, err: `Error: ${path} ${reason}\n` });
  });

  it.each([
    ['syntax.json', '{\n  "items": [,]\n}', ':2:13: '],
    ['syntax.yaml', 'items:\n  - {a: 1\nb: 2\n', ':3:'],
  ])('is told where its syntax breaks: %s', async (name, text, place) => {
    const { menu } = await open();
    const path = await file(name, text);
    const { code, err } = await menu('check', path);
    expect(code).toBe(6);
    expect(err).toContain(`${path}${place}`);
  });
});
