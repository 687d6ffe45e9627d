import { exampleIds, FIRST_GIVEN_STORE_KEY } from '../domain/example-ids.js';
import type { MerchantCreate } from '../domain/merchant/shapes.js';
import type { StoreCreate } from '../domain/store/shapes.js';

type Language = 'en' | 'es' | 'ja' | 'ar';
export type Texts = Readonly<Record<Language, string>>;

/** A store of the demo, with what its menu and its orders depend on. */
export interface DemoStore {
  readonly id: string;
  /** From the far end of the numbers: those that stores are given as they are made never get there. */
  readonly storeKey: number;
  readonly code: string;
  readonly languages: readonly [Language, ...Language[]];
  readonly timezone: string;
  readonly servesAlcohol: boolean;
  /** From cents of a euro to the minor unit of the store's currency, at a price that looks like one. */
  readonly price: (cents: number) => number;
  readonly taxRate: number;
  readonly store: Omit<StoreCreate, 'merchant_id'>;
}

export const demoMerchant: MerchantCreate = {
  brand_name: 'Casa Comanda',
  business_type: { name: 'Restaurant' },
};

const roundTo = (step: number) => (amount: number) => Math.round(amount / step) * step;

export const madrid: DemoStore = {
  id: exampleIds.store,
  storeKey: FIRST_GIVEN_STORE_KEY + 1,
  code: 'madrid',
  languages: ['es', 'en', 'ar'],
  timezone: 'Europe/Madrid',
  servesAlcohol: true,
  price: (cents) => cents,
  taxRate: 0.1,
  store: {
    name: {
      translations: {
        es: 'Casa Comanda Centro',
        en: 'Casa Comanda Centro',
        ar: 'كاسا كوماندا سنترو',
      },
    },
    external_id: 'madrid-centro',
    store_phone: '+34 910 555 010',
    phone_numbers: [{ phone_number: '+34 910 555 010' }, { phone_number: '+34 600 555 011' }],
    contacts: { email: 'centro@casacomanda.example', manager: 'Lucía Ortega' },
    address_line_1: 'Calle de la Cava Baja 12',
    city: 'Madrid',
    postal_code: '28005',
    country: 'ES',
    admin_area: 'Comunidad de Madrid',
    location_name: 'La Latina',
    timezone: 'Europe/Madrid',
    currency: 'EUR',
    store_type: { content: 'Dine-in, takeaway and delivery', business_type: { name: 'Restaurant' } },
    restaurant_configuration: { cuisine_type: { name: 'Spanish' } },
  },
};

const tokyo: DemoStore = {
  id: '01980c6e-5c00-7000-8000-000000000003',
  storeKey: FIRST_GIVEN_STORE_KEY + 2,
  code: 'tokyo',
  languages: ['ja', 'en', 'ar'],
  timezone: 'Asia/Tokyo',
  servesAlcohol: true,
  price: (cents) => roundTo(10)(cents * 1.6),
  taxRate: 0.08,
  store: {
    name: {
      translations: { ja: 'カサ・コマンダ 渋谷', en: 'Casa Comanda Shibuya', ar: 'كاسا كوماندا شيبويا' },
    },
    external_id: 'tokyo-shibuya',
    store_phone: '+81 3-5550-0120',
    phone_numbers: [{ phone_number: '+81 3-5550-0120' }],
    contacts: { email: 'shibuya@casacomanda.example', manager: '佐藤 美咲' },
    address_line_1: '2-24-12 Shibuya',
    address_line_2: '1F',
    city: 'Shibuya-ku',
    postal_code: '150-0002',
    country: 'JP',
    admin_area: 'Tokyo',
    location_name: 'Shibuya Station East',
    timezone: 'Asia/Tokyo',
    currency: 'JPY',
    store_type: { content: 'Dine-in and takeaway', business_type: { name: 'Café' } },
    restaurant_configuration: { cuisine_type: { name: 'Mediterranean' } },
  },
};

export const dubai: DemoStore = {
  id: '01980c6e-5c00-7000-8000-000000000004',
  storeKey: FIRST_GIVEN_STORE_KEY + 3,
  code: 'dubai',
  languages: ['ar', 'en', 'es'],
  timezone: 'Asia/Dubai',
  servesAlcohol: false,
  price: (cents) => roundTo(50)(cents * 4),
  taxRate: 0.05,
  store: {
    name: {
      translations: {
        ar: 'كاسا كوماندا مارينا',
        en: 'Casa Comanda Marina',
        es: 'Casa Comanda Marina',
      },
    },
    external_id: 'dubai-marina',
    store_phone: '+971 4 555 0130',
    phone_numbers: [{ phone_number: '+971 4 555 0130' }],
    contacts: { email: 'marina@casacomanda.example', manager: 'ليلى حداد' },
    address_line_1: 'Al Marsa Street 8',
    city: 'Dubai',
    country: 'AE',
    admin_area: 'Dubai',
    location_name: 'Marina Walk',
    timezone: 'Asia/Dubai',
    currency: 'AED',
    store_type: { content: 'Dine-in, takeaway and delivery', business_type: { name: 'Restaurant' } },
    restaurant_configuration: { cuisine_type: { name: 'Levantine' } },
  },
};

export const demoStores: readonly DemoStore[] = [madrid, tokyo, dubai];

/** Where the examples of the API documents write; it has their menu and no orders. */
export const trialStore = {
  id: exampleIds.trialStore,
  storeKey: FIRST_GIVEN_STORE_KEY + 4,
  store: {
    name: { translations: { es: 'Casa Comanda Taller', en: 'Casa Comanda Taller' } },
    external_id: 'madrid-taller',
    city: 'Madrid',
    country: 'ES',
    timezone: 'Europe/Madrid',
    currency: 'EUR',
  },
} as const satisfies Pick<DemoStore, 'id' | 'storeKey' | 'store'>;
