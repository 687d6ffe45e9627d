import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeTestFolder } from '../harness/test-folder.js';
import { HUBRISE, SQUARE, UBER, uberItem, uberMenu } from '../menu-files/convert/foreign-menus.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();

async function file(name: string, value: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(value));
  return path;
}

describe('menu convert', () => {
  it('recognises a menu, writes it in the format of the file name, and lists what is lost', async () => {
    const square = await file('square.json', SQUARE);
    const output = join(folder, 'menu.yaml');
    const { code, err } = await comanda(['menu', 'convert', square, '-o', output]);
    expect([code, err.split('\n')]).toEqual([
      0,
      [
        `${square}: objects[3].item_data.image_ids: a photo, to be uploaded by itself: P1`,
        `${square}: objects[5].item_data.variations[0].item_variation_data: left out: it has no fixed price`,
        `${square}: objects[5]: "Gift card" is left out: nothing in it has a fixed price`,
        `${square}: objects[6]: DISCOUNT has no place in a menu`,
        'Square: 2 items, 4 losses.',
        `Wrote ${output}.`,
        '',
      ],
    ]);
    const { items } = parse(await readFile(output, 'utf8')) as { items: unknown[] };
    expect(items).toMatchObject([{ external_id: 'I1' }, { external_id: 'V3' }]);
    const strict = await comanda(['menu', 'convert', square, '--strict', '--from', 'square']);
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.out)).toHaveProperty('items');
  });

  it('writes a spreadsheet only where the currency is known', async () => {
    const hubrise = await file('hubrise.json', HUBRISE);
    const { out } = await comanda(['menu', 'convert', hubrise, '--format', 'csv', '--tax-rate', '10']);
    expect(out).toContain('\r\nitem,COKE33,Coke,2.27,0.23,');
    const uber = await file('uber.json', UBER);
    expect((await comanda(['menu', 'convert', uber, '--format', 'csv'])).err).toContain(
      'The file does not say its currency. Add --currency, such as EUR.',
    );
    const priced = await comanda(['menu', 'convert', uber, '--format', 'csv', '--currency', 'eur']);
    expect(priced.out).toContain('item,burger,Burger,,10.00,1.00,sides,');
  });

  it('refuses prices in several currencies, and sells what a location of Square sells', async () => {
    const here = { present_at_all_locations: false, present_at_location_ids: ['L1'] };
    const item = (id: string, currency: string) => ({
      type: 'ITEM',
      id,
      item_data: {
        name: id,
        variations: [
          {
            ...{ type: 'ITEM_VARIATION', id: `${id}-1`, ...here },
            item_variation_data: { price_money: { amount: 100, currency } },
          },
        ],
      },
    });
    const mixed = await file('mixed.json', [item('A', 'EUR'), item('B', 'JPY')]);
    expect(await comanda(['menu', 'convert', mixed])).toMatchObject({
      code: 6,
      err: `Error: ${mixed}: Prices are in several currencies: EUR, JPY.\n`,
    });
    const one = await file('one.json', [item('A', 'EUR')]);
    const ids = async (location: string) => {
      const { out } = await comanda(['menu', 'convert', one, '--location', location]);
      return out === '' ? [] : (JSON.parse(out) as { items: object[] }).items;
    };
    expect(await ids('L1')).toMatchObject([{ external_id: 'A-1' }]);
    expect(await ids('L2')).toEqual([]);
  });

  it('refuses what it does not know', async () => {
    const own = await file('own.json', { items: [] });
    expect(await comanda(['menu', 'convert', own])).toMatchObject({ code: 6, out: '' });
  });

  it.each([
    ['{"items": [\n  {"id": "a"},\n]}', '3:1: JSON decode error: Expecting value'],
    ['{\n  "items": [],\n}', '3:1: JSON decode error: Expecting property name enclosed in double quotes'],
    ['“items”: []', '1:1: JSON decode error: Expecting value'],
  ])('says where %j is not JSON', async (text, problem) => {
    const path = join(folder, 'broken.json');
    await writeFile(path, text);
    const { code, err } = await comanda(['menu', 'convert', path]);
    expect([code, err]).toEqual([6, `Error: ${path} has 1 error.\n${path}:${problem}\n`]);
  });

  it.each([
    ['a list of items', 'uber', [uberItem('tea', 200)], []],
    ['an item', 'uber', { id: 'tea', price_info: { price: 200 } }, ['id', 'price_info']],
    ['items in no category', 'uber', { items: [uberItem('tea', 200)] }, ['items[0]']],
    [
      'a menu of another system',
      'square',
      UBER,
      [
        ...[0, 1, 2, 3].map((i) => `items[${i}]`),
        'menus',
        'categories',
        'modifier_groups',
        'display_options',
      ],
    ],
  ] as const)('writes no empty menu for %s from %s', async (_, source, value, places) => {
    const part = await file('part.json', value);
    const output = join(folder, 'never.json');
    const { code, out, err } = await comanda(['menu', 'convert', part, '--from', source, '-o', output]);
    const name = { uber: 'Uber Eats', square: 'Square' }[source];
    expect([code, out, existsSync(output)]).toEqual([6, '', false]);
    expect(err.split('\n').map((line) => line.replace(/: (?:left out|no field|object has).*/, ''))).toEqual([
      ...places.map((place) => `${part}: ${place}`),
      `Error: ${part} would become an empty menu. Convert the whole menu of ${name}, not a part of it.`,
      '',
    ]);
  });

  it('converts a menu without items, and counts one of each', async () => {
    const path = await file('empty.json', uberMenu([]));
    const { code, err } = await comanda(['menu', 'convert', path, '-o', join(folder, 'empty.yaml')]);
    expect([code, err]).toEqual([0, expect.stringContaining('Uber Eats: 0 items, 0 losses.')]);
    const single = await file('single.json', uberMenu([uberItem('tea', 200, { image_url: 'tea.jpg' })]));
    expect((await comanda(['menu', 'convert', single])).err).toContain('Uber Eats: 1 item, 1 loss.');
  });
});
