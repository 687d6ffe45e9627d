import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();

const item = (external_id: string, en: string, price: number, tax: number) => ({
  external_id,
  name: { translations: { en } },
  price,
  tax,
  sell_separately: true,
});
const MENU = {
  items: [item('coffee', 'Coffee', 318, 32), item('tea', '=Tea', 250, 25), item('soup', 'Soup', 500, 50)],
  menus: [{ external_id: 'all', availability: [], category_external_ids: ['drinks'] }],
  categories: [
    {
      external_id: 'drinks',
      name: { translations: { en: 'Drinks' } },
      item_external_ids: ['coffee', 'tea'],
    },
  ],
};

async function open() {
  const { merchantId, key } = await createTenant(service);
  const storeId = await createStore(service, merchantId, { country: 'ES' });
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
  const menu = (command: string, ...words: string[]) =>
    comanda(['menu', command, storeId, ...words], { environment });
  await menu('push', await file('menu.json', JSON.stringify(MENU)), '--yes');
  return { storeId, environment, menu };
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('menu pull and push with a spreadsheet', () => {
  it('leaves alone what is sold out, also where the menu says that it is in stock', async () => {
    const { menu } = await open();
    const items = MENU.items.map((one) => ({ ...one, in_stock: true }));
    await menu('push', await file('stated.json', JSON.stringify({ ...MENU, items })), '--yes');
    await menu('sold-out', 'tea', 'soup');
    const sheet = await file('tea.csv', 'kind,external_id,price\nitem,tea,2.60\n');
    expect((await menu('push', sheet, '--yes')).out).toContain('Published as version 3.');
    expect((await menu('sold-out')).out).toBe('item\ttea\tsold out\nitem\tsoup\tsold out\n');
    expect((await menu('push', sheet)).out).toContain('Nothing to change: version 3 is current.');
  });

  it('changes nothing on the way there and back', async () => {
    const { menu } = await open();
    const path = join(folder, 'pulled.csv');
    for (const options of [[], ['--with-tax'], ['--decimal-comma']]) {
      expect((await menu('pull', '-o', path, ...options)).code).toBe(0);
      for (const replace of [[], ['--replace']])
        expect((await menu('push', path, ...replace)).out).toBe(
          'No difference.\nNothing to change: version 1 is current.\n',
        );
    }
    expect(await readFile(path, 'utf8')).toContain('\r\nitem;tea;\'=Tea;"2,50";"0,25";');
    expect(JSON.parse((await menu('pull')).out)).toEqual(MENU);
    expect((await menu('pull', '--format', 'csv')).out).toMatch(/^\uFEFFkind,external_id,name:en,price,tax,/);
    expect((await menu('pull', '--format', 'csv', '--form', 'flat')).code).toBe(2);
  });

  it('publishes the cells that differ, and asks first', async () => {
    const { menu } = await open();
    const path = await file('prices.csv', 'external_id;price_with_tax;tax_rate\ncoffee;3,60;10%\n');
    expect((await menu('push', path)).err).toBe(
      'Error: Publish this? There is no terminal to ask in. Add --yes to proceed.\n',
    );
    expect((await menu('push', path, '--yes')).out).toBe(
      'items\n  ~ coffee: price, tax\n0 added, 0 removed, 1 changed.\nPublished as version 2.\n',
    );
    const [coffee, ...others] = MENU.items;
    expect(JSON.parse((await menu('pull')).out)).toEqual({
      ...MENU,
      items: [{ ...coffee, price: 327, tax: 33 }, ...others],
    });
    const removal = await file('removal.csv', 'external_id,remove\ntea,yes\n');
    expect((await menu('diff', removal)).out).toBe(
      'categories\n  ~ drinks: item_external_ids\nitems\n  - tea\n0 added, 1 removed, 1 changed.\n',
    );
    const whole = await file('whole.csv', 'kind,external_id,name:en,hours\nmenu,all,All day,always\n');
    expect((await menu('check', whole, '--replace')).out).toMatch(/1 menus, 0 categories, 0 items/);
  });

  it('names the cell of an error, whoever finds it', async () => {
    const { menu } = await open();
    const path = await file('invalid.csv', 'external_id,price,tax\ncoffee,3.5O,0.32\n');
    const refused = await menu('push', path, '--yes');
    expect([refused.code, refused.err]).toEqual([
      6,
      `Error: ${path} has 1 error.\n${path}:B2: not an amount in EUR: "3.5O"\n`,
    ]);
    const unresolved = await file(
      'unresolved.csv',
      'kind,external_id,contains\ncategory,drinks,coffee|teas\n',
    );
    expect((await menu('check', unresolved)).err).toBe(
      `Error: ${unresolved} has 1 error.\n${unresolved}:C2: No item has the external_id 'teas'; did you mean 'tea'?\n`,
    );
    const free = await file('free.csv', 'external_id,price,tax\ncoffee,0,0\n');
    expect((await menu('check', free)).out).toContain(`${free}:B2: The item 'coffee' costs nothing\n`);
    const stale = await file('stale.csv', 'external_id,price\ncoffee,3.30\n');
    expect((await menu('diff', stale)).err).toBe(
      `${stale}: 1 row has a new price and the old tax: the sheet has no column tax.\n`,
    );
  });
});

describe('someone else who publishes while the question is asked', () => {
  it.each([
    ['push', () => file('late.csv', 'external_id,price,tax\ntea,3.00,0.30\n')],
    ['price', () => Promise.resolve('+5%')],
  ])('is not overwritten by menu %s', async (command, argument) => {
    const { menu, environment, storeId } = await open();
    const other = await file('other.csv', 'external_id,name:en\ntea,Green tea\n');
    async function* publishThenAgree() {
      await menu('push', other, '--yes');
      yield Buffer.from('y\n');
    }
    const words = ['menu', command, storeId, await argument()];
    const ran = await comanda(words, { environment, canAsk: true, stdin: publishThenAgree() });
    expect(ran.err).toContain('Someone else published in the meantime. Nothing was changed.');
    expect(ran.code).toBe(7);
    const { items } = JSON.parse((await menu('pull')).out) as typeof MENU;
    expect(items[1]).toMatchObject({ price: 250, name: { translations: { en: 'Green tea' } } });
  });
});

describe('menu price', () => {
  it('shows the old and the new prices, asks, and publishes them', async () => {
    const { menu, environment, storeId } = await open();
    const typed = { environment, canAsk: true, stdin: 'no\n' };
    const words = ['menu', 'price', storeId, '--category', 'drinks', '+5%', '--round', '5'];
    const asked = await comanda(words, typed);
    expect([asked.code, asked.err]).toEqual([
      9,
      'Publish these 2 prices? [y/N] Error: Nothing was changed.\n',
    ]);
    expect(asked.out).toBe(
      'coffee\tCoffee\t3.50 EUR\t3.70 EUR\t0.34 EUR\ntea\t=Tea\t2.75 EUR\t2.90 EUR\t0.26 EUR\n',
    );
    expect((await comanda([...words, '--yes'], { environment })).out).toContain('Published as version 2.\n');
    const { items } = JSON.parse((await menu('pull')).out) as typeof MENU;
    expect(items.map(({ price, tax }) => [price, tax])).toEqual([
      [336, 34],
      [264, 26],
      [500, 50],
    ]);
  });

  it('leaves alone what is sold out', async () => {
    const { menu } = await open();
    const items = MENU.items.map((one) => ({ ...one, in_stock: true }));
    await menu('push', await file('stated.json', JSON.stringify({ ...MENU, items })), '--yes');
    await menu('sold-out', 'tea', 'soup');
    expect((await menu('price', '+5%', '--category', 'drinks', '--yes')).code).toBe(0);
    expect((await menu('sold-out')).out).toBe('item\ttea\tsold out\nitem\tsoup\tsold out\n');
  });

  it('takes amounts, single items and prices before tax', async () => {
    const { menu } = await open();
    expect((await menu('price', '-0.20', '--item', 'tea', '--yes')).out).toContain('2.75 EUR\t2.55 EUR');
    expect(
      (await menu('price', '-10%', '--item', 'soup', '--before-tax', '--tax-rate', '7', '--yes')).out,
    ).toBe('soup\tSoup\t5.00 EUR\t4.50 EUR\t0.32 EUR\nPublished as version 3.\n');
    expect((await menu('price', '+0%')).out).toBe('No price changes.\n');
    expect((await menu('price', '5%')).err).toBe(
      'Error: Not a change of price: 5%. Use +5%, -5% or +0.20.\n',
    );
    expect((await menu('price', '+5%', '--category', 'drink')).err).toBe(
      "Error: No category has the external_id drink; did you mean 'drinks'?\n",
    );
    expect((await menu('price', '+5%', '--rond', '5')).code).toBe(2);
  });
});
