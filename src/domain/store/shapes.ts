import Type, { type Static, type TSchema } from 'typebox';
import { exampleIds } from '../example-ids.js';
import { BusinessTypeSchema, MerchantResponse } from '../merchant/shapes.js';
import { withRule } from '../shape/compile-shape.js';
import { reportValueError } from '../shape/report-fault.js';
import {
  Datetime,
  ExternalId,
  FreeFormMap,
  MapOf,
  MultilingualText,
  PatchOf,
  withoutId,
} from '../shape/common-shapes.js';
import { isCurrencyCode } from './currency.js';

const CuisineTypeSchema = Type.Object(
  { name: Type.String({ minLength: 1, examples: ['Italian'] }) },
  { $id: 'CuisineTypeSchema' },
);

const StoreTypeSchema = Type.Object(
  {
    content: Type.Optional(Type.String({ examples: ['Dine-in and takeaway'] })),
    business_type: Type.Optional(BusinessTypeSchema),
  },
  { $id: 'StoreTypeSchema' },
);

const RestaurantConfigurationResponse = Type.Object(
  { cuisine_type: Type.Optional(CuisineTypeSchema) },
  { $id: 'RestaurantConfigurationResponse' },
);

const PhoneNumber = Type.Object(
  {
    id: Type.String(),
    phone_number: Type.String({ examples: ['+34 910 000 000'] }),
    create_date_time: Datetime(),
  },
  { $id: 'PhoneNumber' },
);
export type PhoneNumber = Static<typeof PhoneNumber>;

/** What a store says of itself, the same in requests and answers. */
const descriptive = {
  external_id: Type.Optional(ExternalId()),
  store_phone: Type.Optional(Type.String({ examples: ['+34 910 000 000'] })),
  contacts: Type.Optional(FreeFormMap({ examples: [{ email: 'hello@example.com' }] })),
  address_line_1: Type.Optional(Type.String({ examples: ['Calle Mayor 1'] })),
  address_line_2: Type.Optional(Type.String()),
  address_line_3: Type.Optional(Type.String()),
  timezone: Type.Optional(
    withRule(Type.String({ examples: ['Europe/Madrid'] }), (timezone, visit) => {
      if (!isTimezone(timezone))
        reportValueError(visit, 'not an IANA time zone name such as Europe/Madrid', timezone);
    }),
  ),
  city: Type.Optional(Type.String({ examples: ['Madrid'] })),
  postal_code: Type.Optional(Type.String({ examples: ['28013'] })),
  country: Type.Optional(Type.String({ examples: ['ES'] })),
  location_name: Type.Optional(Type.String()),
  admin_area: Type.Optional(Type.String()),
  store_type: Type.Optional(StoreTypeSchema),
  restaurant_configuration: Type.Optional(RestaurantConfigurationResponse),
};

const stored = {
  id: Type.String({ examples: [exampleIds.store] }),
  name: MapOf<TSchema, unknown>(Type.Unknown(), {
    examples: [{ translations: { en: 'Casa Comanda Centro' } }],
  }),
  created_at: Type.Optional(Datetime()),
  ...descriptive,
  phone_numbers: Type.Optional(Type.Array(PhoneNumber)),
  merchant: Type.Optional(MerchantResponse),
};

export const Store = Type.Object(stored, { $id: 'Store' });
export type Store = Static<typeof Store>;

const currency = Type.Optional(
  Type.String({ description: 'ISO 4217 code of the minor unit prices are in', examples: ['EUR'] }),
);

const orders_checked = Type.Optional(
  Type.Boolean({ description: 'Whether every order is checked against the menu before it is taken in' }),
);

export const ManagedStore = Type.Object({ ...stored, currency, orders_checked }, { $id: 'ManagedStore' });
export type ManagedStore = Static<typeof ManagedStore>;

const writable = {
  name: MultilingualText,
  ...descriptive,
  store_type: Type.Optional(withoutId(StoreTypeSchema)),
  restaurant_configuration: Type.Optional(withoutId(RestaurantConfigurationResponse)),
  phone_numbers: Type.Optional(
    Type.Array(
      Type.Object(
        { phone_number: Type.String({ minLength: 1, maxLength: 50 }) },
        { $id: 'PhoneNumberWrite' },
      ),
      {
        maxItems: 100,
      },
    ),
  ),
  orders_checked,
  currency: Type.Optional(
    withRule(Type.String({ examples: ['EUR'] }), (code, visit) => {
      if (!isCurrencyCode(code)) reportValueError(visit, 'not an ISO 4217 currency code such as EUR', code);
    }),
  ),
};

export const StorePatch = PatchOf(writable, { $id: 'StorePatch' });
export type StorePatch = Static<typeof StorePatch>;

export const StoreCreate = Type.Object(
  { merchant_id: Type.String({ minLength: 1, examples: [exampleIds.merchant] }), ...writable },
  { $id: 'StoreCreate' },
);
export type StoreCreate = Static<typeof StoreCreate>;

/** A name of the IANA database; fixed offsets, which Intl may also take, are not names. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
