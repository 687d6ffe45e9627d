import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comboLine, comboMenu } from '../harness/combo.js';
import { chain, menuClient } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();

const ORDER = `items:
  - external_id: i
    quantity: 3
    modifiers:
      - {group_external_id: g, external_id: o}
`;

describe('quote', () => {
  it('says what an order comes to, or what is wrong in which line', async () => {
    const { merchantId, key } = await createTenant(service);
    const storeId = await createStore(service, merchantId, { currency: 'EUR' });
    await menuClient(service, { storeId, key }).post(chain());
    const path = join(folder, 'order.yaml');
    const quote = (...words: string[]) =>
      comanda(['quote', storeId, path, ...words], {
        environment: { COMANDA_URL: service.url, COMANDA_KEY: key },
      });

    await writeFile(path, ORDER);
    expect(await quote()).toMatchObject({
      code: 0,
      out: '3\ti\t1 o\t3.15 EUR\t0.33 EUR\n3.15 EUR plus 0.33 EUR tax, menu version 1.\n',
    });
    expect(JSON.parse((await quote('--json')).out)).toMatchObject({ price: 315, tax: 33 });

    await writeFile(
      path,
      ORDER.replace('external_id: i', 'external_id: j').replace('quantity: 3', 'quantity: 0'),
    );
    expect((await quote()).err).toContain(`${path}:3:15: items[0].quantity: Input should be greater`);
    await writeFile(path, ORDER.replace('external_id: o', 'external_id: p'));
    const refused = await quote();
    expect([refused.code, refused.err]).toEqual([
      6,
      expect.stringContaining(`${path}:5:45: items[0].modifiers[0].external_id: No modifier item`) as string,
    ]);
  });

  it('shows what is chosen for a choice', async () => {
    const { merchantId, key } = await createTenant(service);
    const storeId = await createStore(service, merchantId);
    await menuClient(service, { storeId, key }).post(comboMenu());
    const path = join(folder, 'combo.json');
    await writeFile(path, JSON.stringify({ items: [comboLine()] }));
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
    const { out } = await comanda(['quote', storeId, path], { environment });
    expect(out.split('\n')[0]).toBe('1\tcombo\t1 main-burger [1 rare], 1 side-fries\t1000\t100');
  });
});
