import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, type QuoteRequest } from '#sdk';
import { comboMenu } from '../harness/combo.js';
import { useService } from '../harness/service.js';
import { createKey, createMerchant, createStore } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();

const name = (en: string) => ({ translations: { en } });
const modifier = (id: string, change: number, more: object = {}) => ({
  ...{ external_id: id, name: name(id), price_change: change, tax_change: change / 10 },
  ...{ min_quantity: 0, max_quantity: 1, default_quantity: 0, ...more },
});
const group = (id: string, least: number, free: number, modifiers: string[]) => ({
  ...{ external_id: id, type: 'CHOICE', name: name(id), group_min: least, group_max: 0 },
  ...{ charge_after: free, modifier_item_external_ids: modifiers },
});
const item = (id: string, price: number, groups: string[] = [], more: object = {}) => ({
  ...{ external_id: id, name: name(id), price, tax: price / 10, sell_separately: true },
  ...{ modifier_external_ids: groups, ...more },
});

const MENU = {
  menus: [{ external_id: 'all', availability: [], category_external_ids: ['food'] }],
  categories: [
    {
      external_id: 'food',
      name: name('Food'),
      item_external_ids: ['soup', 'pizza', 'cake', 'a=b=3', 'fries'],
    },
  ],
  items: [
    item('soup', 400),
    item('pizza', 1000, ['dough', 'toppings', 'extra']),
    item('cake', 300, [], { in_stock: false }),
    item('a=b=3', 100),
    item('fries', 200, ['dips']),
  ],
  modifier_groups: [
    group('dough', 1, 0, ['thin']),
    group('toppings', 3, 2, ['ham', 'olives']),
    group('extra', 0, 0, ['thin']),
    group('dips', 1, 1, ['dip']),
  ],
  modifier_items: [
    modifier('thin', 50),
    modifier('ham', 200, { max_quantity: 2 }),
    modifier('olives', 100, { max_quantity: 5 }),
    modifier('dip', 30, { min_quantity: 2, max_quantity: 2 }),
  ],
};

async function open() {
  const merchantId = await createMerchant(service);
  const more = { country: 'ES', timezone: 'Europe/Madrid', external_id: 'corner' };
  const storeId = await createStore(service, merchantId, more);
  const permissions = ['read', 'menu:write', 'orders:write'];
  const { key } = await createKey(service, { merchant_id: merchantId, permissions });
  const client = createClient({ baseUrl: service.url, apiKey: key });
  await client.createMenuConfiguration(storeId, MENU);
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
  return {
    storeId,
    client,
    run: (words: string[], more: object = {}) => comanda(words, { environment, ...more }),
  };
}

interface Made {
  readonly id: string;
  readonly created_at: string;
  readonly [more: string]: unknown;
}

describe('orders create', () => {
  it('prices what is ordered, with what it must come with', async () => {
    const { storeId, run } = await open();
    const words = ['orders', 'create', 'corner', 'pizza=2', 'soup', '--customer', 'Zoë', '--phone', '+43 1'];
    const { code, out } = await run([...words, '--comment', 'hot!', '--json']);
    expect(code).toBe(0);
    const made = JSON.parse(out) as Made;
    const line = { price_change: 0, tax_change: 0, quantity: 2, name: 'ham', external_id: 'ham' };
    expect(made).toEqual({
      id: made.id,
      created_at: made.created_at,
      store: expect.objectContaining({ id: storeId }) as unknown,
      customer: { name: 'Zoë', phone: '+43 1' },
      customer_comments: 'hot!',
      status: 'PENDING',
      is_read: false,
      in_pos: false,
      ready_by: expect.any(String) as unknown,
      items: [
        {
          external_id: 'pizza',
          name: 'pizza',
          quantity: 2,
          price: 1000,
          tax: 100,
          modifiers: [
            {
              ...{ group_external_id: 'dough', external_id: 'thin', name: 'thin', quantity: 1 },
              ...{ price_change: 50, tax_change: 5 },
            },
            { group_external_id: 'toppings', ...line },
            {
              ...{ group_external_id: 'toppings', external_id: 'olives', name: 'olives', quantity: 1 },
              ...{ price_change: 100, tax_change: 10 },
            },
          ],
        },
        { external_id: 'soup', name: 'soup', quantity: 1, price: 400, tax: 40, modifiers: [] },
      ],
      price: 2 * (1000 + 50 + 100) + 400,
      tax: 2 * (100 + 5 + 10) + 40,
      ...{ number: 1, due: 2970, revision: 1, updated_at: made.created_at },
    });
    const minutes = (Date.parse(String(made['ready_by'])) - Date.parse(made.created_at)) / 60_000;
    expect(Math.round(minutes)).toBe(20);
  });

  it('takes a modifier as often as it must be taken, more of it than the group asks for', async () => {
    const { run } = await open();
    const { out } = await run(['orders', 'create', 'corner', 'fries', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      items: [
        {
          modifiers: [
            { external_id: 'dip', quantity: 1, price_change: 0 },
            { external_id: 'dip', quantity: 1, price_change: 30 },
          ],
        },
      ],
      price: 230,
    });
  });

  it('chooses what a choice must have that stands for an item', async () => {
    const { client, storeId, run } = await open();
    await client.createMenuConfiguration(storeId, comboMenu());
    const { out } = await run(['orders', 'create', 'corner', 'combo', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      items: [
        {
          modifiers: [
            { external_id: 'main-burger', modifiers: [{ external_id: 'rare', quantity: 1 }] },
            { external_id: 'side-fries' },
          ],
        },
      ],
      price: 1000,
    });
  });

  it('chooses what a choice must have that stands for an item in no category, in stock', async () => {
    const { client, storeId, run } = await open();
    const combo = comboMenu();
    await client.createMenuConfiguration(storeId, {
      ...combo,
      categories: combo.categories.map((category) => ({ ...category, item_external_ids: ['combo'] })),
      modifier_items: combo.modifier_items.map((one) =>
        one.external_id === 'rare' ? { ...one, menu_item_external_id: 'salad' } : one,
      ),
      items: combo.items.map((one) =>
        one.external_id === 'combo'
          ? one
          : { ...one, sell_separately: false, in_stock: one.external_id !== 'salad' },
      ),
    });
    const { out } = await run(['orders', 'create', 'corner', 'combo', '--json']);
    const { items } = JSON.parse(out) as QuoteRequest;
    expect(items[0]?.modifiers).toMatchObject([
      { external_id: 'main-burger', modifiers: [{ external_id: 'medium', quantity: 1 }] },
      { external_id: 'side-fries' },
    ]);
    expect((await client.quoteOrder(storeId, { items })).price).toBe(1000);
  });

  it('reads an external_id as it is before it reads a number from it', async () => {
    const { run } = await open();
    const { out } = await run(['orders', 'create', 'corner', 'a=b=3', '--json']);
    expect(JSON.parse(out)).toMatchObject({ items: [{ external_id: 'a=b=3', quantity: 1 }], price: 100 });
  });

  it.each([
    [['pizzza'], 5, 'No item pizzza can be ordered now. Did you mean pizza?'],
    [
      ['caviar and champagne'],
      5,
      'No item caviar and champagne can be ordered now. See: comanda menu available',
    ],
    [['cake=2'], 7, 'cake cannot be ordered now: it is sold out.'],
    [[], 2, 'Name menu items, or a file with --file.'],
  ])('refuses %j', async (items, code, sentence) => {
    const { client, storeId, run } = await open();
    const ran = await run(['orders', 'create', 'corner', ...items]);
    expect(ran).toEqual({ code, out: '', err: `Error: ${sentence}\n` });
    expect((await client.listOrders(storeId)).count).toBe(0);
  });

  it('takes a whole order from a file, and points into one that is refused', async () => {
    const { run } = await open();
    const path = join(folder, 'order.yaml');
    const order = 'customer: {name: A, phone: "1"}\nitems: []\nprice: 5\ntax: 0\nready_by: 2030-01-01\n';
    await writeFile(path, order);
    const made = await run(['orders', 'create', 'corner', '--file', path, '--json']);
    expect(JSON.parse(made.out)).toMatchObject({ customer: { name: 'A' }, price: 5 });
    await writeFile(path, order.replace('price: 5', 'price: many'));
    const refused = await run(['orders', 'create', 'corner', '--file', path]);
    expect([refused.code, refused.err]).toEqual([
      6,
      `Error: ${path} has 1 error.\n${path}:3:8: price: Input should be a valid integer\n`,
    ]);
  });
});

describe('orders show', () => {
  const ticketOf = async (more: object, columns = 80) => {
    const { storeId, client, run } = await open();
    const order = await client.takeInOrder(storeId, {
      customer: { name: 'Zoë Müller', phone: '+43 1 555 0100' },
      items: [
        {
          ...{ name: 'Pizza', quantity: 2 },
          modifiers: [
            { name: 'Ham', quantity: 2, modifiers: [{ name: 'Thick', modifiers: [{ name: 'Very' }] }] },
            { external_id: 'thin', quantity: 1 },
          ],
        },
        { external_id: 'soup', comments: 'very hot' },
        { name: name('Cake'), quantity: 1 },
        { weight: 5 },
      ],
      price: 2700,
      tax: 270,
      ready_by: '2026-11-15T12:30:00Z',
      created_at: '2026-11-15T12:00:00Z',
      ...more,
    });
    const { code, out } = await run(['orders', 'show', order.id], { columns });
    expect(code).toBe(0);
    return { out, id: order.id };
  };

  it('prints a ticket, in the times and amounts of the store', async () => {
    const { out, id } = await ticketOf({ customer_comments: 'No onions,\nplease' });
    expect(out.replace(/^No\. \d+$/m, 'No. 1')).toBe(`PENDING
Centro
No. 1
For 2026-11-15 13:30
Ordered 2026-11-15 13:00

2 x Pizza
    + 2 x Ham
        + Thick
            + Very
    + thin
1 x soup
    “very hot”
1 x Cake
{"weight":5}
“No onions, please”

Total${' '.repeat(46)}29.70 EUR
Due${' '.repeat(48)}29.70 EUR
Zoë Müller, +43 1 555 0100
${id}
`);
  });

  it('prints number, service, address, notes and what is due', async () => {
    const { out } = await ticketOf({
      service: 'delivery',
      source: { name: 'Glovo', reference: 'GL-88' },
      charges: [{ kind: 'delivery', name: 'Delivery fee', price: 250, tax: 25 }],
      tip: 100,
      payments: [{ method: 'online', amount: 1000 }],
      delivery: {
        address: { line_1: 'Calle Mayor 1', postal_code: '28013', city: 'Madrid' },
        notes: 'Second bell',
      },
    });
    const lines = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
    expect(lines.slice(0, 4)).toEqual(['PENDING', 'Centro', expect.stringMatching(/^No\. \d+$/), 'Delivery']);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Delivery fee | 2.75 EUR',
        'Total | 29.70 EUR',
        'Tip | 1.00 EUR',
        'Due | 20.70 EUR',
        'Calle Mayor 1, 28013, Madrid',
        '“Second bell”',
        'Glovo GL-88',
      ]),
    );
  });

  it('has the phone number in a row of its own after a name that is read from right to left', async () => {
    const { out } = await ticketOf({ customer: { name: 'نور', phone: '+971 50 555 0100' } });
    expect(out).toContain('\nنور\n+971 50 555 0100\n');
  });

  it('fits a narrow terminal, and shows no code that it would obey', async () => {
    const long = 'very '.repeat(20);
    const items = [
      { name: `${long}\u001b[2J\u202epizza`, modifiers: [{ name: `${long}\u009bham` }, 'loose', null] },
    ];
    const { out } = await ticketOf({ items, customer_comments: long }, 40);
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(40);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe('the whole order', () => {
  it('is created with its service, charges and tip, amended and paid', async () => {
    const { run } = await open();
    const json = async (...words: string[]) => {
      const { code, out, err } = await run([...words, '--json']);
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out) as { id: string; [more: string]: unknown };
    };
    const flags = ['--service', 'delivery', '--charge', 'delivery=2.50', '--tip', '1'];
    const made = await json('orders', 'create', 'corner', 'soup=2', ...flags);
    expect(made).toMatchObject({
      service: 'delivery',
      charges: [{ kind: 'delivery', price: 250, tax: 0 }],
      ...{ tip: 100, price: 1050, tax: 80, due: 1230, revision: 1 },
    });
    const lines = ['--quantity', 'soup=1', '--add', 'a=b=3', '--reason', 'out_of_item'];
    expect(await json('orders', 'amend', made.id, ...lines)).toMatchObject({
      items: [
        { external_id: 'soup', quantity: 1 },
        { external_id: 'a=b=3', quantity: 1 },
      ],
      ...{ price: 750, tax: 50, due: 900, reason: 'out_of_item' },
    });
    expect(await json('orders', 'amend', made.id, '--remove', 'soup', '--tip', '2')).toMatchObject({
      items: [{ external_id: 'a=b=3' }],
      ...{ price: 350, tax: 10, tip: 200, due: 560 },
    });
    const slip = await run(['orders', 'amend', made.id, '--quantity', 'a=b=2=1']);
    expect([slip.code, slip.err]).toEqual([5, 'Error: The order has no line a=b=2. Did you mean a=b=3?\n']);
    expect((await run(['orders', 'amend', made.id, '--remove', 'soup'])).code).toBe(5);
    expect((await run(['orders', 'amend', made.id])).code).toBe(2);
    expect((await run(['orders', 'amend', made.id, '--quantity', 'soup'])).code).toBe(2);
    const part = ['3.60', '--method', 'cash', '--external-id', 'r-1'];
    expect(await run(['orders', 'pay', made.id, ...part])).toMatchObject({ code: 0, out: '2.00 EUR due.\n' });
    expect((await run(['orders', 'pay', made.id, ...part])).out).toBe('2.00 EUR due.\n');
    expect(await json('orders', 'pay', made.id)).toMatchObject({
      due: 0,
      payments: [
        { method: 'cash', amount: 360, external_id: 'r-1' },
        { method: 'card', amount: 200 },
      ],
    });
    const again = await run(['orders', 'pay', made.id]);
    expect([again.code, again.out]).toEqual([0, 'Nothing is due.\n']);
    expect((await run(['orders', 'pay', made.id, '-1.50'])).out).toBe('1.50 EUR due.\n');
  });
});

describe('demo trickle', () => {
  it('lets orders arrive', async () => {
    const { storeId, client, run } = await open();
    const { code, out } = await run(['demo', 'trickle', '--every', '0', '--count', '5']);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(5);
    const { count, order_result_list: orders = [] } = await client.listOrders(storeId);
    expect(count).toBe(5);
    for (const { items, status } of orders) {
      expect(status).toBe('PENDING');
      expect(items.map((line) => line['external_id'])).not.toContain('cake');
    }
    const json = await run(['demo', 'trickle', 'corner', '--every', '0', '--count', '1', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ status: 'PENDING', store: { id: storeId } });
  });

  it('says so when nothing can be ordered', async () => {
    const { storeId, client, run } = await open();
    await client.createMenuConfiguration(storeId, { items: [] });
    const { code, err } = await run(['demo', 'trickle']);
    expect([code, err]).toEqual([
      7,
      expect.stringContaining('None of these stores has anything to order now'),
    ]);
  });
});
