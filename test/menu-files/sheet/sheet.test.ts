import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from '../../../src/menus/publish/canonical-text.js';
import { compileConfigurationCheck } from '../../../src/menus/publish/check-configuration.js';
import type { MenuConfiguration } from '../../../src/menus/shapes.js';
import { readSheet, type SheetBasis } from '../../../src/menu-files/sheet/read-sheet.js';
import { SheetErrors } from '../../../src/menu-files/sheet/errors.js';
import { writeSheet } from '../../../src/menu-files/sheet/write-sheet.js';
import { anyConfiguration } from '../../menus/arbitrary-menu.js';

const MANY = { menus: 1e6, categories: 1e6, items: 1e6, modifier_groups: 1e6, modifier_items: 1e6 };
const check = compileConfigurationCheck(MANY);

const MENU = check({
  menus: [
    {
      external_id: 'all-day',
      availability: [
        { day_of_week: 'Monday', time_periods: [{ start_time: '07:00', end_time: '11:30' }] },
        { day_of_week: 'Tuesday', time_periods: [{ start_time: '07:00', end_time: '11:30' }] },
        { day_of_week: 'Saturday', time_periods: [] },
      ],
      category_external_ids: ['drinks'],
    },
  ],
  categories: [
    { external_id: 'drinks', name: { translations: { en: 'Drinks' } }, item_external_ids: ['coffee', 'tea'] },
  ],
  items: [
    {
      external_id: 'coffee',
      name: { translations: { en: 'Coffee', es: 'Café' } },
      price: 318,
      tax: 32,
      sell_separately: true,
      modifier_external_ids: ['milk'],
    },
    { external_id: 'tea', name: { translations: { en: 'Tea' } }, price: 250, tax: 25, sell_separately: true },
  ],
  modifier_groups: [
    {
      external_id: 'milk',
      type: 'single',
      name: { translations: { en: 'Milk' } },
      group_min: 0,
      group_max: 1,
      charge_after: 0,
      modifier_item_external_ids: ['none'],
    },
  ],
  modifier_items: [
    {
      external_id: 'none',
      name: { translations: { en: '-' } },
      price_change: -50,
      tax_change: -5,
      min_quantity: 0,
      max_quantity: 1,
      default_quantity: 0,
    },
  ],
});

const basis = (changes: Partial<SheetBasis> = {}): SheetBasis => ({
  currency: 'EUR',
  current: MENU,
  isWhole: false,
  ...changes,
});
const read = (text: string, changes?: Partial<SheetBasis>) =>
  readSheet(new TextEncoder().encode(text), basis(changes));

function errorsOf(text: string, changes?: Partial<SheetBasis>): string[] {
  try {
    read(text, changes);
  } catch (error) {
    if (error instanceof SheetErrors)
      return error.errors.map(({ cell, message }) => `${cell ?? ''}: ${message}`);
    throw error;
  }
  return [];
}

function itemIn(configuration: MenuConfiguration, id: string) {
  return configuration.items.find(({ external_id: one }) => one === id);
}

describe('a sheet', () => {
  it('shows a menu as people would write it', () => {
    const rows = writeSheet(MENU, { currency: 'EUR', decimalSign: '.' }).split('\r\n');
    const heads = 'kind,external_id,name:en,name:es,price,tax,contains,hours,sell_separately,in_stock,';
    expect(rows[0]).toMatch(new RegExp(`^\uFEFF${heads}`));
    expect(rows[1]).toMatch(/^menu,all-day,,,,,drinks,"Mon-Tue 07:00-11:30; Sat closed",/);
    expect(rows[2]).toMatch(/^category,drinks,Drinks,,,,coffee\|tea,,/);
    expect(rows[3]).toMatch(/^item,coffee,Coffee,Café,3\.18,0\.32,milk,,yes,/);
    expect(rows[6]).toMatch(/^modifier_item,none,'-,,-0\.50,-0\.05,/);
    const german = writeSheet(MENU, { currency: 'EUR', decimalSign: ',', withTax: true }).split('\r\n');
    expect(german[0]).toMatch(/^\uFEFFkind;external_id;name:en;name:es;price_with_tax;tax_rate;contains;/);
    expect(german[3]).toMatch(/^item;coffee;Coffee;Café;"3,50";10%;milk;/);
  });

  const wildText = fc
    .string({
      unit: fc.constantFrom(
        'a',
        '0',
        '1',
        '"',
        "'",
        ',',
        ';',
        '\t',
        '\r',
        '\n',
        ' ',
        '=',
        '+',
        '-',
        '@',
        '|',
        '\\',
        'é',
      ),
      maxLength: 6,
    })
    .filter((text) => text !== '');
  /** The ids and texts that could be taken for something else in a spreadsheet. */
  const wildConfiguration = fc
    .tuple(anyConfiguration, fc.array(fc.tuple(wildText, wildText), { maxLength: 20 }))
    .map(([configuration, swaps]) => {
      const names = new Map<string, string>();
      const taken = new Set<string>();
      const wild = [...swaps];
      const rename = (id: string) => {
        const next = names.get(id) ?? wild.shift()?.[0] ?? id;
        if (!names.has(id)) {
          names.set(id, taken.has(next) ? id : next);
          taken.add(next);
        }
        return names.get(id) ?? id;
      };
      const text = JSON.stringify(configuration, (key, value: unknown) => {
        if (key === 'external_id' || key === 'menu_item_external_id') return rename(value as string);
        if (key.endsWith('_external_ids')) return (value as string[]).map(rename);
        if (key === 'ingredients' || key === 'allergens') return wild.shift()?.[1] ?? value;
        return value;
      });
      return JSON.parse(text) as MenuConfiguration;
    })
    .filter((configuration) => {
      try {
        check(configuration);
        return true;
      } catch {
        return false;
      }
    });
  const format = fc.record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD', undefined),
    decimalSign: fc.constantFrom('.' as const, ',' as const),
    withTax: fc.boolean(),
  });

  it('changes nothing when it comes back as it was', () => {
    fc.assert(
      fc.property(wildConfiguration, format, (configuration, options) => {
        const written = writeSheet(configuration, options);
        const { currency } = options;
        const patched = read(written, { current: configuration, currency });
        expect(canonicalText(check(patched.configuration))).toBe(canonicalText(check(configuration)));
        expect(patched.notes).toEqual([]);
        const whole = read(written, { current: configuration, currency, isWhole: true });
        expect(canonicalText(check(whole.configuration))).toBe(canonicalText(check(configuration)));
        const anew = read(written, { current: { items: [] }, currency, isWhole: true });
        const full = { menus: [], categories: [], modifier_groups: [], modifier_items: [] };
        expect(canonicalText(check({ ...full, ...anew.configuration }))).toBe(
          canonicalText(check({ ...full, ...configuration })),
        );
      }),
    );
  });

  it('changes only the rows and columns that it has', () => {
    const { configuration, notes } = read('external_id;price;tax\ntea; 2,75 ;0,28\n\n');
    expect(configuration).toEqual({
      ...MENU,
      items: [MENU.items[0], { ...MENU.items[1], price: 275, tax: 28 }],
    });
    expect(notes).toEqual([]);
    expect(read('external_id;price\ntea;2,75').notes).toEqual([
      '1 row has a new price and the old tax: the sheet has no column tax.',
    ]);
  });

  it('takes a price with tax', () => {
    const { configuration } = read('kind\texternal_id\tprice_with_tax\ttax_rate\nitem\ttea\t3.50\t10 %\n');
    expect(itemIn(configuration, 'tea')).toMatchObject({ price: 318, tax: 32 });
  });

  it('adds, clears and removes', () => {
    const { configuration } = read(
      [
        'sep=;',
        'kind;external_id;name:en;name:es;price;tax;sell_separately;contains;remove',
        'item;cocoa;Cocoa;;3;0,30;yes;;',
        'item;coffee;Coffee;;3,18;0,32;yes;;no',
        'item;tea;;;;;;;x',
      ].join('\n'),
    );
    expect(configuration.items.map(({ external_id: id }) => id)).toEqual(['coffee', 'cocoa']);
    expect(itemIn(configuration, 'coffee')).toEqual({
      external_id: 'coffee',
      name: { translations: { en: 'Coffee' } },
      price: 318,
      tax: 32,
      sell_separately: true,
    });
    expect(configuration.categories?.[0]?.item_external_ids).toEqual(['coffee']);
  });

  it('is the whole menu if asked to be', () => {
    const { configuration } = read(
      'kind,external_id,name:en,price,tax,sell_separately\nitem,tea,Tea,2.50,0.25,no\n',
      { isWhole: true },
    );
    expect(configuration).toEqual({
      menus: [],
      categories: [],
      items: [
        {
          external_id: 'tea',
          name: { translations: { en: 'Tea' } },
          price: 250,
          tax: 25,
          sell_separately: false,
        },
      ],
      modifier_groups: [],
      modifier_items: [],
    });
  });

  it('keeps an apostrophe that belongs to a text', () => {
    const { configuration } = read("external_id,name:en\ntea,'tis tea\ncoffee,'=1+1\n");
    expect(itemIn(configuration, 'tea')?.name.translations['en']).toBe("'tis tea");
    expect(itemIn(configuration, 'coffee')?.name.translations['en']).toBe('=1+1');
  });

  it('understands hours as people write them', () => {
    const hours = (cell: string) =>
      read(`kind;external_id;hours\nmenu;all-day;"${cell}"\n`).configuration.menus?.[0]?.availability;
    const lunch = { start_time: '07:00', end_time: '11:30' };
    expect(hours('always')).toEqual([]);
    expect(hours('Fri–Sun 7:00 – 11:30')).toEqual(
      ['Friday', 'Saturday', 'Sunday'].map((day_of_week) => ({ day_of_week, time_periods: [lunch] })),
    );
    expect(hours('sunday 07:00-11:30, 18:00-01:00; Mon closed')).toEqual([
      { day_of_week: 'sunday', time_periods: [lunch, { start_time: '18:00', end_time: '01:00' }] },
      { day_of_week: 'Monday', time_periods: [] },
    ]);
  });

  it('says when it guesses the encoding', () => {
    const bytes = Buffer.from('external_id;name:es\ncoffee;Caf\u00e9 s\u00f3lo\n', 'latin1');
    const { configuration, notes } = readSheet(bytes, basis());
    expect(itemIn(configuration, 'coffee')?.name.translations['es']).toBe('Café sólo');
    expect(notes).toEqual(['Not UTF-8: read as Windows-1252.']);
  });
});

describe('errors in a sheet', () => {
  it.each<[what: string, text: string, errors: string[]]>([
    [
      'an amount, below a cell of two lines',
      'kind,external_id,name:en,price,tax\nitem,tea,"Tea\nhot",2.50,0.25\nitem,coffee,Coffee,3.5O,0.32\n',
      ['D3: not an amount in EUR: "3.5O"'],
    ],
    [
      'several at once',
      'external_id,price,tax\ntea,x,y\n',
      ['B2: not an amount in EUR: "x"', 'C2: not an amount in EUR: "y"'],
    ],
    [
      'an id that is nearly there',
      'external_id,price\ntee,2.50\n',
      [
        `A2: no item has the external_id "tee"; did you mean 'tea'? To add an item, fill in name, tax, sell_separately.`,
      ],
    ],
    [
      'a header',
      'external_id,prise\ntea,2.50\n',
      [
        `B1: no column of a menu is called "prise"; did you mean 'price'? Begin it with # to keep it as a remark.`,
      ],
    ],
    ['no ids', 'kind,price\nitem,2.50\n', ['A1: the sheet has no column external_id']],
    ['a column twice', 'external_id,price,Price\ntea,1,2\n', ['C1: a second column "Price"']],
    [
      'a field of another kind',
      'kind,external_id,price\ncategory,drinks,1\n',
      ['C2: a category has no price'],
    ],
    ['what must not be blank', 'external_id,price\ntea,\n', ['B2: an item needs price']],
    ['a row twice', 'external_id,price\ntea,1\ntea,2\n', ['A3: row 2 is about the same item']],
    [
      'two prices',
      'external_id,price,price_with_tax,tax_rate\ntea,1,1,10\n',
      ['B2: both price and price_with_tax are filled in'],
    ],
    [
      'half a price',
      'external_id,price_with_tax,tax_rate\ntea,1,\n',
      ['B2: price_with_tax and tax_rate need each other'],
    ],
    ['no price', 'external_id,price_with_tax,tax_rate\ntea,,\n', ['B2: an item needs price_with_tax']],
    [
      'a kind',
      'kind,external_id\ndish,tea\n',
      ['A2: not a kind (menu, category, item, modifier_group, modifier_item): "dish"'],
    ],
    [
      'a decimal comma without quotes',
      'external_id,price\ntea,2,50\n',
      ['C2: this cell has no header. Quote cells that contain ",".'],
    ],
    [
      'hours',
      'kind,external_id,hours\nmenu,all-day,Mon 7-11\n',
      ['C2: not hours such as "Mon-Fri 07:00-11:30; Sat 08:00-13:00": "Mon 7-11"'],
    ],
    [
      'a label',
      'external_id,dietary_labels\ntea,vegan|gluten free|kosher\n',
      ['B2: not a dietary label (VEGAN, VEGETARIAN, GLUTEN_FREE): "kosher"'],
    ],
    [
      'a name without a language',
      'external_id,name\ntea,Tea\n',
      ['B2: say in the header in which language this is, such as name:en'],
    ],
    [
      'removing what is not there',
      'external_id,remove\ntee,yes\n',
      [`A2: no item has the external_id "tee"; did you mean 'tea'?`],
    ],
    ['a quote', 'external_id,name:en\ntea,"Tea\n', ['B2: the quote that begins here never ends']],
    ['nothing', '\uFEFF\n', [': The file is empty.']],
  ])('%s', (_what, text, errors) => {
    expect(errorsOf(text)).toEqual(errors);
  });

  it('are placed at the cell when the menu is checked', () => {
    const sheet = read(
      'kind,external_id,contains,name:en\ncategory,drinks,coffee|teas,Drinks\nitem,tea,,Tea\n',
    );
    const at = (...loc: (string | number)[]) =>
      sheet.relocate({ loc: ['body', ...loc], msg: 'Value error, odd' });
    expect(at('categories', 0, 'item_external_ids', 1)).toEqual({ cell: 'C2', row: 2, message: 'odd' });
    expect(at('items', 1, 'name', 'translations', 'en')).toEqual({ cell: 'D3', row: 3, message: 'odd' });
    expect(at('items', 1, 'price')).toEqual({ cell: 'B3', row: 3, message: 'odd' });
    expect(at('items', 0, 'price')).toEqual({ message: 'item "coffee": odd' });
    expect(at()).toEqual({ message: 'odd' });
  });
});
