import { Type, type Static } from '../support/shape/type.js';
import { exampleIds } from '../support/example-ids.js';
import {
  Datetime,
  ExternalId,
  FreeFormMap,
  MapOf,
  MultilingualText,
  NamedShape,
  OneOf,
  PatchOf,
  withoutId,
} from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { reportValueError } from '../support/error-details.js';
import { isCurrencyCode } from './currency.js';
import { settings, writableSettings } from './settings.js';
import { PERMISSIONS } from '../access/permissions.js';

const BusinessTypeSchema = NamedShape('BusinessTypeSchema', {
  name: Type.String({ minLength: 1, examples: ['Restaurant'] }),
});

export const MerchantResponse = NamedShape('MerchantResponse', {
  created_at: Datetime({ examples: ['2026-01-05T09:30:00.000Z'] }),
  id: Type.String({ examples: [exampleIds.merchant] }),
  brand_name: Type.String({ examples: ['Casa Comanda'] }),
  business_type: Type.Optional(BusinessTypeSchema),
});
export type MerchantResponse = Static<typeof MerchantResponse>;

const merchantFields = {
  brand_name: Type.String({ minLength: 1, examples: ['Casa Comanda'] }),
  business_type: Type.Optional(BusinessTypeSchema),
};

export const MerchantCreate = Type.Object(merchantFields, { $id: 'MerchantCreate' });
export type MerchantCreate = Static<typeof MerchantCreate>;

export const MerchantPatch = PatchOf(merchantFields, { $id: 'MerchantPatch' });
export type MerchantPatch = Static<typeof MerchantPatch>;

const CuisineTypeSchema = NamedShape('CuisineTypeSchema', {
  name: Type.String({ minLength: 1, examples: ['Italian'] }),
});

const StoreTypeSchema = NamedShape('StoreTypeSchema', {
  content: Type.Optional(Type.String({ examples: ['Dine-in and takeaway'] })),
  business_type: Type.Optional(BusinessTypeSchema),
});

const RestaurantConfigurationResponse = NamedShape('RestaurantConfigurationResponse', {
  cuisine_type: Type.Optional(CuisineTypeSchema),
});

const PhoneNumber = NamedShape('PhoneNumber', {
  id: Type.String(),
  phone_number: Type.String({ examples: ['+34 910 000 000'] }),
  create_date_time: Datetime(),
});
export type PhoneNumber = Static<typeof PhoneNumber>;

/** Store fields that are equal in requests and responses. */
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
  name: MapOf(Type.Unknown(), {
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
  Type.String({ description: 'ISO 4217 code of the currency of all prices', examples: ['EUR'] }),
);

const orders_checked = Type.Optional(
  Type.Boolean({ description: 'Whether every order is checked against the menu before it is accepted' }),
);

export const ManagedStore = NamedShape('ManagedStore', { ...stored, currency, orders_checked, ...settings });
export type ManagedStore = Static<typeof ManagedStore>;

const storeFields = {
  name: MultilingualText,
  ...descriptive,
  store_type: Type.Optional(withoutId(StoreTypeSchema)),
  restaurant_configuration: Type.Optional(withoutId(RestaurantConfigurationResponse)),
  phone_numbers: Type.Optional(
    Type.Array(
      NamedShape('PhoneNumberWrite', { phone_number: Type.String({ minLength: 1, maxLength: 50 }) }),
      {
        maxItems: 100,
      },
    ),
  ),
  orders_checked,
  ...writableSettings,
  currency: Type.Optional(
    withRule(Type.String({ examples: ['EUR'] }), (code, visit) => {
      if (!isCurrencyCode(code)) reportValueError(visit, 'not an ISO 4217 currency code such as EUR', code);
    }),
  ),
};

export const StorePatch = PatchOf(storeFields, { $id: 'StorePatch' });
export type StorePatch = Static<typeof StorePatch>;

export const StoreCreate = NamedShape('StoreCreate', {
  merchant_id: Type.String({ minLength: 1, examples: [exampleIds.merchant] }),
  ...storeFields,
  like: Type.Optional(
    Type.String({
      description:
        'A store of the merchant whose settings, hours, places and printers it gets; places and printers get codes of their own. Fields that are stated here win',
    }),
  ),
  menu: Type.Optional(
    Type.Boolean({ description: 'With `like`: publish its menu with the photos too', examples: [true] }),
  ),
});
export type StoreCreate = Static<typeof StoreCreate>;

/** The event type for a changed store. */
export const STORE_UPDATED = 'store.updated';

const permissions = Type.Array(OneOf(PERMISSIONS), {
  minItems: 1,
  maxItems: 20,
  examples: [['read', 'menu:write']],
  description:
    '`read` includes `kitchen:read` (no sales, overview, bills and exports), which includes `pickup:read` (only the numbers of the pick-up screen)',
});
const label = Type.Optional(Type.String({ minLength: 1, examples: ['POS till 1'] }));

const storeIds = Type.Optional(
  Type.Array(Type.String(), { minItems: 1, maxItems: 1_000, description: 'Absent: every store' }),
);

export const KeyPatch = PatchOf({ label, permissions, store_ids: storeIds }, { $id: 'KeyPatch' });
export type KeyPatch = Static<typeof KeyPatch>;

export const KeyCreate = NamedShape('KeyCreate', {
  merchant_id: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Operator keys must state it',
      examples: [exampleIds.merchant],
    }),
  ),
  store_ids: storeIds,
  permissions,
  label,
  expires_at: Type.Optional(
    Datetime({
      description: 'Absent: when the issuing key expires, or never. A later time than that is 403',
    }),
  ),
});
export type KeyCreate = Static<typeof KeyCreate>;

export const KeyRotate = NamedShape('KeyRotate', {
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 86_400,
      description: 'Seconds that the old secret keeps working. Default: one day; 0 ends it at once',
    }),
  ),
});

const keyFields = {
  id: Type.String(),
  kind: OneOf(['merchant', 'operator']),
  merchant_id: Type.Optional(Type.String()),
  store_ids: Type.Optional(Type.Array(Type.String())),
  permissions: Type.Array(OneOf(PERMISSIONS)),
  label,
  last_four: Type.String({ examples: ['x7Qa'] }),
  created_at: Datetime(),
  expires_at: Type.Optional(Datetime()),
  revoked_at: Type.Optional(Datetime()),
  last_used_at: Type.Optional(Datetime({ description: 'Accurate to the minute' })),
  rotated_from: Type.Optional(Type.String({ description: 'The key this one replaces' })),
  issued_by: Type.Optional(Type.String({ description: 'The key that issued this one' })),
};

export const Key = Type.Object(keyFields, { $id: 'Key' });
export type Key = Static<typeof Key>;

/** What goes on without a key unless it ends with it. */
export const MadeWithKey = NamedShape('MadeWithKey', {
  keys: Type.Integer({ description: 'Working keys that it issued, or that these issued in turn' }),
  webhooks: Type.Integer({ description: 'Active webhooks that it created' }),
  publications: Type.Integer({
    description: 'Menu publications that it scheduled and that are still to come',
  }),
});
export type MadeWithKey = Static<typeof MadeWithKey>;

export const KeyDetails = NamedShape('KeyDetails', { ...keyFields, made: MadeWithKey });
export const KeyRevoked = NamedShape('KeyRevoked', { id: Type.String(), goes_on: MadeWithKey });

export const KeyCreated = NamedShape('KeyCreated', {
  ...keyFields,
  key: Type.Optional(
    Type.String({ description: 'The secret, returned only once; a replayed response omits it' }),
  ),
});

/** An IANA name; fixed offsets, which Intl may also accept, are not names. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
