import Type, { type Static } from 'typebox';
import { Datetime } from '../shapes.js';

const EXAMPLE_ID = '01980c6e-5c00-7000-8000-000000000001';

export const BusinessTypeSchema = Type.Object(
  { name: Type.String({ minLength: 1, examples: ['Restaurant'] }) },
  { $id: 'BusinessTypeSchema' },
);

export const MerchantResponse = Type.Object(
  {
    created_at: Datetime({ examples: ['2026-01-05T09:30:00.000Z'] }),
    id: Type.String({ examples: [EXAMPLE_ID] }),
    brand_name: Type.String({ examples: ['Casa Comanda'] }),
    business_type: Type.Optional(BusinessTypeSchema),
  },
  { $id: 'MerchantResponse' },
);
export type MerchantResponse = Static<typeof MerchantResponse>;

export const MerchantCreate = Type.Object(
  {
    brand_name: Type.String({ minLength: 1, examples: ['Casa Comanda'] }),
    business_type: Type.Optional(BusinessTypeSchema),
  },
  { $id: 'MerchantCreate' },
);
export type MerchantCreate = Static<typeof MerchantCreate>;

export const MerchantPatch = Type.Partial(MerchantCreate, { $id: 'MerchantPatch' });
export type MerchantPatch = Static<typeof MerchantPatch>;
