import { readdir, readFile } from 'node:fs/promises';
import { exampleIds, FIRST_GIVEN_STORE_KEY } from '../support/example-ids.js';
import type { StockedKind } from '../menus/kinds.js';
import type { Item, MenuConfiguration, Modifier } from '../menus/shapes.js';
import type { StockChange } from '../menus/stock/marks.js';
import type { SentPhoto } from '../menus/photos/photos.js';
import type { NewPlace } from '../guest/places.sql.js';
import type { MerchantCreate, StoreCreate } from '../tenants/shapes.js';
import type { OrderStatus } from '../orders/status.js';
import { DEFAULT_PACE } from '../pace/pace.js';
import type { IntakeSettings } from '../pace/shapes.js';
import { readYaml } from '../support/yaml.js';

/** The contents of the YAML files and photos in this folder. */
export interface Demo {
  readonly merchant: MerchantCreate;
  readonly stores: readonly DemoStore[];
  readonly trialStore: Pick<DemoStore, 'id' | 'storeKey' | 'store' | 'intake'>;
  readonly menu: MenuData;
  readonly orders: OrderData;
  /** The small sizes after the large ones. */
  readonly photos: readonly SentPhoto[];
  /** Under the name of each place in the kitchen the items that are made there. */
  readonly prepTypes: Readonly<Record<string, readonly string[]>>;
}

export interface DemoStore {
  readonly id: string;
  readonly storeKey: number;
  readonly code: string;
  /** Orders are in the first one. */
  readonly languages: readonly string[];
  readonly serves_alcohol: boolean;
  readonly price_factor: number;
  readonly price_step: number;
  readonly tax_rate: number;
  readonly stock: readonly DemoMark[];
  readonly intake?: DemoIntake;
  readonly store: Omit<StoreCreate, 'merchant_id'>;
  readonly customers: readonly Customer[];
  /** Where guests order. */
  readonly places?: readonly NewPlace[];
}

/** What its kitchen takes, and a day of every year on which it keeps other hours. */
interface DemoIntake {
  readonly capacity: NonNullable<IntakeSettings['capacity']>;
  readonly special_day: IntakeSettings['special_days'][number];
}

/** The settings of the store's intake; the special day is the next one after `now`. */
export function demoIntake({ capacity, special_day: day }: DemoIntake, now: number): IntakeSettings {
  const today = new Date(now).toISOString().slice(0, 10);
  const year = Number(today.slice(0, 4));
  const isOver = `${year}-${day.date}` < today;
  const date = `${isOver ? year + 1 : year}-${day.date}`;
  return { ...DEFAULT_PACE.settings, capacity, special_days: [{ ...day, date }] };
}

/** What the store has set on an item or a modifier item. */
interface DemoMark extends StockChange {
  readonly kind: StockedKind;
  readonly external_id: string;
}

interface Customer {
  readonly name: string;
  readonly phone: string;
}

interface OrderData {
  readonly days: number;
  readonly meals: readonly { readonly hour: number; readonly hours: number; readonly orders: number }[];
  readonly comments: readonly string[];
  readonly finished: Readonly<Partial<Record<OrderStatus, number>>>;
  readonly in_kitchen: readonly { readonly minutes_ago: number; readonly status: OrderStatus }[];
  readonly example_customer: Customer;
}

type Texts = Readonly<Record<string, string>>;
type Named<T> = Omit<T, 'name' | 'description'> & { readonly name: Texts; readonly description?: Texts };
type MenuData = {
  readonly [List in keyof MenuConfiguration]-?: readonly Named<
    NonNullable<MenuConfiguration[List]>[number]
  >[];
};

/** Store keys from the end of the range, which the counter for new stores never reaches. */
const STORE_IDS = {
  madrid: { id: exampleIds.store, storeKey: FIRST_GIVEN_STORE_KEY + 1 },
  tokyo: { id: exampleIds.tokyoStore, storeKey: FIRST_GIVEN_STORE_KEY + 2 },
  dubai: { id: exampleIds.dubaiStore, storeKey: FIRST_GIVEN_STORE_KEY + 3 },
  trial: { id: exampleIds.trialStore, storeKey: FIRST_GIVEN_STORE_KEY + 4 },
};

/** Read only when the demo is loaded. */
export async function readDemo(): Promise<Demo> {
  const { merchant, stores, trial_store, prep_types: prepTypes } = await read<StoreFile>('stores');
  return {
    merchant,
    stores: stores.map((store) => ({ ...store, ...STORE_IDS[store.code] })),
    trialStore: { store: trial_store, ...STORE_IDS.trial },
    menu: await read<MenuData>('menu'),
    orders: await read<OrderData>('orders'),
    photos: await readPhotos(),
    prepTypes,
  };
}

/** Drawn by test/browser/demo-photos.test.ts. */
async function readPhotos(): Promise<SentPhoto[]> {
  const folder = new URL('photos/', import.meta.url);
  const photos = (await readdir(folder)).map(async (file): Promise<SentPhoto> => {
    const [externalId = '', size] = file.split('.');
    const content = await readFile(new URL(file, folder));
    return { externalId, type: 'image/webp', content, isSmall: size === 'small' };
  });
  return (await Promise.all(photos)).sort((one, other) => Number(one.isSmall) - Number(other.isSmall));
}

interface StoreFile {
  readonly merchant: MerchantCreate;
  readonly stores: readonly (Omit<DemoStore, 'id' | 'storeKey'> & {
    readonly code: 'madrid' | 'tokyo' | 'dubai';
  })[];
  readonly trial_store: DemoStore['store'];
  readonly prep_types: Demo['prepTypes'];
}

async function read<Data>(name: string): Promise<Data> {
  return readYaml(await readFile(new URL(`${name}.yaml`, import.meta.url), 'utf8')).value as Data;
}

/** The menu of a store, in its languages and its currency. */
export function demoMenu({ menu }: Demo, store: DemoStore): MenuConfiguration {
  const items = menu.items.filter((item) => store.serves_alcohol || item.alcohol_by_volume === undefined);
  const itemIds = new Set(items.map((item) => item.external_id));
  const categories = menu.categories.filter((category) =>
    category.item_external_ids?.some((id) => itemIds.has(id)),
  );
  const categoryIds = new Set(categories.map((category) => category.external_id));
  return {
    menus: menu.menus.map(({ category_external_ids: ids = [], ...rest }) => ({
      ...translate(store, rest),
      category_external_ids: ids.filter((id) => categoryIds.has(id)),
    })),
    categories: categories.map((category) => translate(store, category)),
    items: items.map((item): Item => {
      const price = priceIn(store, item.price);
      return { ...translate(store, item), price, tax: taxOn(store, price), sell_separately: true };
    }),
    modifier_groups: menu.modifier_groups.map((group) => translate(store, group)),
    modifier_items: menu.modifier_items.map((modifier): Modifier => {
      const change = priceIn(store, modifier.price_change);
      const usual = { min_quantity: 0, max_quantity: 1, default_quantity: 0 };
      return {
        ...usual,
        ...translate(store, modifier),
        price_change: change,
        tax_change: taxOn(store, change),
      };
    }),
  };
}

/** What the store marks: where its dishes are made, and what has run out or is counted. */
export function demoMarks(demo: Demo, store: DemoStore): readonly DemoMark[] {
  const sold = new Set(demoMenu(demo, store).items.map(({ external_id }) => external_id));
  const made = Object.entries(demo.prepTypes).flatMap(([prepType, items]) =>
    items.flatMap((external_id) =>
      sold.has(external_id) ? [{ kind: 'item' as const, external_id, prepType }] : [],
    ),
  );
  return [...made, ...store.stock];
}

function translate<T extends { readonly name: Texts; readonly description?: Texts }>(
  { languages }: DemoStore,
  { name, description, ...rest }: T,
) {
  const inLanguages = (texts: Texts) => ({
    translations: Object.fromEntries(languages.map((language) => [language, texts[language] ?? ''])),
  });
  return {
    ...rest,
    name: inLanguages(name),
    ...(description === undefined ? {} : { description: inLanguages(description) }),
  };
}

function priceIn({ price_factor: factor, price_step: step }: DemoStore, cents: number): number {
  return Math.round((cents * factor) / step) * step;
}

/** Rounds half away from zero, and never yields minus zero. */
function taxOn({ tax_rate: rate }: DemoStore, price: number): number {
  return Math.sign(price) * Math.round(Math.abs(price) * rate) || 0;
}
