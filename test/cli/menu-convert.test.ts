import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeTestFolder } from '../harness/test-folder.js';
import { HUBRISE, SQUARE, UBER } from '../menus/convert/foreign-menus.js';
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
        `${square}: objects[3].item_data.image_ids: no field for it`,
        `${square}: objects[5].item_data.variations[0].item_variation_data: left out: it has no fixed price`,
        `${square}: objects[5]: "Gift card" is left out: nothing in it has a fixed price`,
        `${square}: objects[6]: DISCOUNT has no place in a menu`,
        'Square: 2 items, 4 losses.',
        `Wrote ${output}.`,
        '',
      ],
    ]);
    const { items } = parse(await readFile(output, 'utf8')) as { items: unknown[] };
    expect(items).toMatchObject([{ external_id: 'I1' }, { external_id: 'I2' }]);
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

  it('refuses what it does not know', async () => {
    const own = await file('own.json', { items: [] });
    expect(await comanda(['menu', 'convert', own])).toMatchObject({ code: 6, out: '' });
    const text = join(folder, 'notes.json');
    await writeFile(text, '{"items": [');
    expect((await comanda(['menu', 'convert', text])).err).toContain('is not JSON');
  });
});
